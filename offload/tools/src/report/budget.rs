//! Budgets: what kernels must not take.

use std::str::FromStr;

use super::kernels::Kernel;

/// `spills>0`, or `scale:registers>64` for kernels with `scale` in their names.
#[derive(Clone, Debug, PartialEq)]
pub struct Budget {
    text: String,
    part_of_name: String,
    field: String,
    operator: Operator,
    number: u64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Operator {
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Equal,
    Different,
}

/// Longer ones first: each is looked for in turn.
const OPERATORS: [(&str, Operator); 6] = [
    ("<=", Operator::LessOrEqual),
    (">=", Operator::GreaterOrEqual),
    ("==", Operator::Equal),
    ("!=", Operator::Different),
    ("<", Operator::Less),
    (">", Operator::Greater),
];

impl FromStr for Budget {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        // A kernel's name may have `<`, `>` and `::` in it: what is asked is behind its last colon.
        let (part_of_name, expression) = text.rsplit_once(':').unwrap_or(("", text));
        let Some((field, operator, number)) = OPERATORS.iter().find_map(|(sign, operator)| {
            let (field, number) = expression.split_once(sign)?;
            Some((field.trim(), *operator, number.trim()))
        }) else {
            return Err(format!(
                "there is no operator in {expression:?}. {}",
                example()
            ));
        };
        if !fields().contains(&field) {
            return Err(format!("there is no field {field:?}. {}", example()));
        }
        Ok(Self {
            text: expression.into(),
            part_of_name: part_of_name.into(),
            field: field.into(),
            operator,
            number: number
                .parse()
                .map_err(|_| format!("{number:?} is no number. {}", example()))?,
        })
    }
}

fn fields() -> Vec<&'static str> {
    Kernel::default().fields().map(|(name, _)| name).into()
}

fn example() -> String {
    format!(
        "Write for example spills>0 or scale:registers>64. The fields are {}",
        fields().join(", ")
    )
}

impl Budget {
    /// What is to be said of each kernel that takes more.
    pub fn violations(&self, kernels: &[Kernel]) -> Vec<String> {
        let mut mine = kernels
            .iter()
            .filter(|kernel| kernel.kernel.contains(&self.part_of_name))
            .peekable();
        if mine.peek().is_none() {
            return vec![format!(
                "no kernel has {:?} in its name, for which {} is asked",
                self.part_of_name, self.text
            )];
        }
        mine.filter_map(|kernel| self.violation(kernel)).collect()
    }

    fn violation(&self, kernel: &Kernel) -> Option<String> {
        let Kernel {
            kernel: name, arch, ..
        } = kernel;
        let found = kernel
            .fields()
            .into_iter()
            .find_map(|(field, value)| (field == self.field).then_some(value))?;
        let Some(found) = found else {
            return Some(format!(
                "{name} for {arch}: {} cannot be checked, the image does not say it",
                self.text
            ));
        };
        let holds = match self.operator {
            Operator::Less => found < self.number,
            Operator::LessOrEqual => found <= self.number,
            Operator::Greater => found > self.number,
            Operator::GreaterOrEqual => found >= self.number,
            Operator::Equal => found == self.number,
            Operator::Different => found != self.number,
        };
        holds.then(|| {
            format!(
                "{name} for {arch}: {} is {found}, and {} fails",
                self.field, self.text
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kernels() -> Vec<Kernel> {
        let kernel = |kernel: &str, arch: &str, registers, spills| Kernel {
            kernel: kernel.into(),
            arch: arch.into(),
            registers: Some(registers),
            spills,
            ..Kernel::default()
        };
        vec![
            kernel("a::scale::<f32>", "gfx90a", 65, Some(2)),
            kernel("a::scale::<f32>", "sm_90", 32, None),
            kernel("a::other", "sm_90", 64, Some(0)),
        ]
    }

    fn violations(budget: &str) -> Vec<String> {
        budget.parse::<Budget>().unwrap().violations(&kernels())
    }

    #[test]
    fn kernels_that_take_more() {
        assert_eq!(
            violations("registers > 64"),
            ["a::scale::<f32> for gfx90a: registers is 65, and registers > 64 fails"]
        );
        assert_eq!(
            violations("spills>0"),
            [
                "a::scale::<f32> for gfx90a: spills is 2, and spills>0 fails",
                "a::scale::<f32> for sm_90: spills>0 cannot be checked, the image does not say it",
            ]
        );
        assert_eq!(violations("a::scale::<f32>:registers>=66"), [""; 0]);
        assert_eq!(
            violations("scale::<f32>:registers<=32"),
            ["a::scale::<f32> for sm_90: registers is 32, and registers<=32 fails"]
        );
        assert_eq!(violations("other:registers!=64"), [""; 0]);
        assert_eq!(violations("other:registers==64").len(), 1);
        assert_eq!(violations("registers<33").len(), 1);
        assert_eq!(
            violations("scales:registers>64"),
            ["no kernel has \"scales\" in its name, for which registers>64 is asked"]
        );
    }

    #[test]
    fn what_is_no_budget() {
        let error = |text: &str| text.parse::<Budget>().unwrap_err();
        let example = "Write for example spills>0 or scale:registers>64. The fields are registers, vgprs, sgprs, agprs, \
                       spills, stack_bytes, lds_bytes, max_threads, code_bytes, occupancy_percent";
        assert_eq!(
            error("spills"),
            format!("there is no operator in \"spills\". {example}")
        );
        assert_eq!(
            error("spill>0"),
            format!("there is no field \"spill\". {example}")
        );
        assert_eq!(error("spills>x"), format!("\"x\" is no number. {example}"));
        assert_eq!(
            error("spills>-1"),
            format!("\"-1\" is no number. {example}")
        );
    }
}
