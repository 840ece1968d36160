// Without an argument it needs no GPU; with `gpu` it scales a vector there.

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

extern "C" {
std::uint32_t vector_version();
void vector_scale(float factor, float *values, std::size_t count);
}

int main(int argc, char **argv) {
  std::printf("vector %u from C++\n", vector_version());
  if (argc < 2 || std::strcmp(argv[1], "gpu") != 0) {
    return 0;
  }
  std::vector<float> values(100000);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<float>(i);
  }
  vector_scale(3.0f, values.data(), values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] != 3.0f * static_cast<float>(i)) {
      std::printf("values[%zu] is %f\n", i, values[i]);
      return 1;
    }
  }
  std::printf("all %zu values are right\n", values.size());
}
