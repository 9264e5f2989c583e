//! AdamW: Adam with weight decay of its own; without decay it is Adam.
//!
//! Source: D. Kingma and J. Ba, "Adam: A Method for Stochastic Optimization", 2015;
//! I. Loshchilov and F. Hutter, "Decoupled Weight Decay Regularization", 2019.

const BETA_1: f32 = 0.9;
const BETA_2: f32 = 0.999;

/// What is the same in all steps.
#[derive(Clone, Copy, Debug)]
pub struct AdamW {
    /// The share of its distance from `decay_to` that a parameter loses in a step, times the learning
    /// rate.
    pub decay: f32,
    /// Added to the root of the mean squared gradient, by which a step is divided.
    pub epsilon: f32,
    /// No parameter gets further from zero.
    pub bound: f32,
}

#[derive(Clone, Copy, Debug)]
pub struct Step {
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
pub struct Parameter<'a> {
    pub value: &'a mut f32,
    pub momentum: &'a mut f32,
    pub variance: &'a mut f32,
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
