//! AdamW: Adam with weight decay of its own; without decay it is Adam.
//!
//! Source: D. Kingma and J. Ba, "Adam: A Method for Stochastic Optimization", 2015;
//! I. Loshchilov and F. Hutter, "Decoupled Weight Decay Regularization", 2019.

const BETA_1: f32 = 0.9;
const BETA_2: f32 = 0.999;

/// What is the same in all steps.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AdamW {
    /// The share of its distance from `decay_to` that a parameter loses in a step, times the learning
    /// rate.
    pub decay: f32,
    /// Added to the root of the mean squared gradient, by which a step is divided.
    pub epsilon: f32,
    /// No parameter gets further from zero.
    pub bound: f32,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    rate: f32,
    /// The share of its distance from `decay_to` that a parameter loses.
    decay: f32,
    epsilon: f32,
    bound: f32,
    /// Both moments begin with zero: they are divided by the share of them that gradients have
    /// filled so far.
    corrections: [f32; 2],
}

/// A parameter and what is kept beside it.
pub(crate) struct Parameter<'a> {
    pub value: &'a mut f32,
    pub momentum: &'a mut f32,
    pub variance: &'a mut f32,
    /// What the parameter decays to.
    pub decay_to: f32,
}

impl AdamW {
    /// Step `number`, from 1, with a learning rate.
    pub fn step(&self, number: u64, rate: f32) -> Step {
        let exponent = i32::try_from(number).unwrap_or(i32::MAX);
        let corrections = [BETA_1, BETA_2].map(|beta| 1.0 - beta.powi(exponent));
        let Self { decay, epsilon, bound } = *self;
        Step { rate, decay: rate * decay, epsilon, bound, corrections }
    }
}

impl Step {
    /// Moves a parameter against its gradient and towards `decay_to`, within the bound.
    /// `momentum` and `variance` are the means of the gradient and its square.
    #[inline]
    pub fn update(&self, parameter: Parameter<'_>, gradient: f32) {
        let Parameter { value, momentum, variance, decay_to } = parameter;
        *momentum = BETA_1 * *momentum + (1.0 - BETA_1) * gradient;
        *variance = BETA_2 * *variance + (1.0 - BETA_2) * gradient * gradient;
        let size = (*variance / self.corrections[1]).sqrt() + self.epsilon;
        let step = self.rate * (*momentum / self.corrections[0]) / size;
        let decayed = *value - self.decay * (*value - decay_to);
        *value = (decayed - step).clamp(-self.bound, self.bound);
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;

    const PLAIN: AdamW = AdamW { decay: 0.0, epsilon: 1e-8, bound: 2.0 };

    /// A parameter that decays to zero after steps with the same gradient.
    fn updated(optimizer: AdamW, start: f32, rate: f32, gradient: f32) -> f32 {
        updated_to(0.0, optimizer, start, rate, gradient)
    }

    fn updated_to(decay_to: f32, optimizer: AdamW, start: f32, rate: f32, gradient: f32) -> f32 {
        let (mut value, mut momentum, mut variance) = (start, 0.0, 0.0);
        for number in 1..=3 {
            let [value, momentum, variance] = [&mut value, &mut momentum, &mut variance];
            let parameter = Parameter { value, momentum, variance, decay_to };
            optimizer.step(number, rate).update(parameter, gradient);
        }
        value
    }

    #[test]
    fn steps_have_the_size_of_the_rate_whatever_the_gradient() {
        for gradient in [3.0, 1e-4, -20.0] {
            let value = updated(PLAIN, 0.5, 0.01, gradient);
            let moved = 0.5 - 0.03 * gradient.signum();
            assert!((value - moved).abs() < 1e-5, "{gradient}: {value} instead of {moved}");
        }
    }

    #[test]
    fn parameters_decay_to_zero_and_stay_in_bounds() {
        let decaying = AdamW { decay: 5.0, ..PLAIN };
        assert!((updated(decaying, 1.0, 0.1, 0.0) - 0.125).abs() < 1e-6);
        assert!((updated(decaying, -0.4, 0.1, 0.0) + 0.05).abs() < 1e-6);
        assert_eq!(updated(PLAIN, -1.9, 0.5, 1.0), -2.0);
    }

    #[test]
    fn parameters_decay_to_what_is_asked() {
        let decaying = AdamW { decay: 5.0, ..PLAIN };
        assert!((updated_to(0.2, decaying, 1.0, 0.1, 0.0) - 0.3).abs() < 1e-6);
        assert!((updated_to(-1.0, decaying, -0.2, 0.1, 0.0) + 0.9).abs() < 1e-6);
    }

    #[test]
    fn a_great_epsilon_shortens_small_steps() {
        let careful = AdamW { epsilon: 1.0, ..PLAIN };
        assert!(updated(careful, 0.5, 0.01, 1e-4) > 0.499);
    }

    /// Adam's update as its paper writes it.
    fn adam(value: f32, moments: &mut [f32; 2], gradient: f32, number: i32, rate: f32) -> f32 {
        moments[0] = 0.9 * moments[0] + (1.0 - 0.9) * gradient;
        moments[1] = 0.999 * moments[1] + (1.0 - 0.999) * gradient * gradient;
        let momentum = moments[0] / (1.0 - 0.9_f32.powi(number));
        let variance = moments[1] / (1.0 - 0.999_f32.powi(number));
        value - rate * momentum / (variance.sqrt() + 1e-10)
    }

    #[test]
    fn without_decay_it_is_adam_bit_for_bit() {
        let optimizer = AdamW { decay: 0.0, epsilon: 1e-10, bound: f32::INFINITY };
        let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
        for scale in [1e-7_f32, 1e-3, 10.0] {
            let start = random.random_range(-900.0..900.0);
            let (mut value, mut momentum, mut variance) = (start, 0.0, 0.0);
            let (mut wanted, mut moments) = (start, [0.0; 2]);
            for number in 1..=500 {
                let gradient = scale * random.random_range(-1.0..1.0);
                let rate = random.random_range(0.01..2.0);
                wanted = adam(wanted, &mut moments, gradient, number, rate);
                let [value, momentum, variance] = [&mut value, &mut momentum, &mut variance];
                let parameter = Parameter { value, momentum, variance, decay_to: 0.0 };
                optimizer.step(number as u64, rate).update(parameter, gradient);
            }
            assert_eq!(value.to_bits(), wanted.to_bits(), "{scale}");
            assert_ne!(value, start);
        }
    }
}
