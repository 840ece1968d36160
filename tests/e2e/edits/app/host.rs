use crate::kernels::scale;

pub fn run() {
    let mut x = [1.0f32; 256];
    gpu::launch! { kernel = scale::<f32>, workgroup_dim = [256, 1, 1], args = (&mut x as *mut [f32; 256],) }
    // instantiations
    println!("{} {}", host_dep::GREETING, x[0]);
}
