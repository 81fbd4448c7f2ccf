//! Orders of execution for devices with a link to a host.
//!
//! An order says what is repeated, and leaves open what is copied. The room at a step is what the
//! device holds, and what copies beside the computation can have moved away before the step and can
//! bring back after it. Bytes in excess of that stall the computation: it waits for as many bytes as
//! the excess increases, since what is away may stay there until less is in excess.
//!
//! That neglects which tensors could be copied, and for how long they would be away. Plans of the
//! orders tell where copies take longer than was assumed: there, the room is [lowered](LinkRoom::lower),
//! and the order annealed again.

use mem_model::Interval;

use super::super::tuning;
use super::anneal::Fit;
use super::order::{Excess, Room};
use super::{Known, Recomputation};

/// What may be in use at each step.
#[derive(Clone, Debug)]
pub(in super::super) struct LinkRoom {
    room: Room,
    /// Per step: granules of the device.
    device: Vec<i32>,
    granule: u64,
}

/// Where a search for orders begins.
#[derive(Clone, Copy, Debug)]
pub(in super::super) enum From<'a> {
    /// Orders that follow from the program.
    Starts,
    /// An order for other room, near which others are.
    Near(&'a Fit),
    /// An order from which others may be far away, and the first temperature.
    Again(&'a Fit, f64),
}

impl LinkRoom {
    pub(super) fn room(&self) -> &Room {
        &self.room
    }

    /// No copy makes room for so many bytes at these steps.
    pub(in super::super) fn lower(&mut self, steps: Interval<usize>, bytes: u64) {
        let granules = i32::try_from(bytes.div_ceil(self.granule)).unwrap_or(i32::MAX);
        let at = &mut self.room.at[steps.start..steps.end];
        for (at, device) in at.iter_mut().zip(&self.device[steps.start..steps.end]) {
            *at = at.saturating_sub(granules).max(*device);
        }
    }
}

impl Recomputation<'_> {
    /// The room beside copies. `device`: per step, bytes of the device. `cycles`: to copy a byte out,
    /// and back, of which a fraction `reach` is assumed to be available.
    pub(in super::super) fn link_room(
        &self,
        device: &[u64],
        cycles: [f64; 2],
        reach: f64,
    ) -> LinkRoom {
        let mut before = 0_u64;
        let mut at = Vec::with_capacity(device.len());
        for (device, own) in device.iter().zip(&self.values.cycles) {
            let after = self
                .values
                .ideal
                .saturating_sub(before.saturating_add(*own));
            let [out, back] = [(before, cycles[0]), (after, cycles[1])]
                .map(|(time, cycles)| time as f64 * reach / cycles.max(f64::MIN_POSITIVE));
            // Saturating: a link that takes no time copies everything.
            let copied = out.min(back) as u64;
            at.push(self.values.granules(device.saturating_add(copied)));
            before = before.saturating_add(*own);
        }
        let granules = |bytes: &u64| self.values.granules(*bytes);
        let device: Vec<i32> = device.iter().map(granules).collect();
        let cycles = (cycles[0] + cycles[1]) * self.values.granule as f64;
        LinkRoom {
            room: Room {
                capacity: device.iter().copied().max().unwrap_or(0),
                at,
                excess: Excess::Copied {
                    price: cycles * tuning::COPY_PRICE,
                },
            },
            device,
            granule: self.values.granule,
        }
    }

    /// Orders, the seemingly fastest first.
    pub(in super::super) fn beside_copies(&self, room: &LinkRoom, from: From<'_>) -> Vec<Fit> {
        let room = &room.room;
        let n_trials = tuning::n_order_trials(self.plain.len());
        let [first, warm] = tuning::ORDER_HEATS;
        let heats = |first: f64| ([first, tuning::LAST_ORDER_HEAT], 0.0);
        let found = match from {
            From::Starts => {
                let starts: Vec<Known> = self.starts(room);
                let chosen = self.chosen(room, &starts);
                self.chains(room, &chosen, n_trials, heats(first))
            }
            From::Near(known) => {
                let n_trials = n_trials / tuning::near_share(self.plain.len());
                self.chains(room, &[&known.1], n_trials, heats(warm))
            }
            From::Again(known, heat) => {
                let (times, parts) = tuning::AGAIN;
                let n_trials = n_trials * times / parts;
                self.chains(room, &[&known.1], n_trials, heats(heat))
            }
        };
        let Excess::Copied { price } = room.excess else {
            return Vec::new();
        };
        let mut orders: Vec<Fit> = found
            .into_iter()
            .map(|own| own.unwrap_or_else(|own| own))
            .collect();
        orders.sort_by(|a, b| a.0.priced(price).total_cmp(&b.0.priced(price)));
        orders.dedup_by(|a, b| a.1 == b.1);
        orders
    }
}
