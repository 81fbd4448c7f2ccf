//! Sites of tensors. Views of one tensor at the same address share a site.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Index;

use mem_model::{BufferId, Bytes, Interval, IntervalSet, Program, Storage};

use super::Levels;

/// A site, densely numbered.
pub(super) type SiteId = u32;

/// A storage location of a tensor.
pub(super) struct Site {
    pub tensor: u32,
    memory: u32,
    /// Address of the tensor's first byte, even if the site does not include that byte.
    base: i128,
    /// Bytes of the tensor that the site includes.
    bytes: Interval<Bytes>,
}

impl Site {
    fn addresses(&self, bytes: Interval<Bytes>) -> (i128, i128) {
        let address = |byte: Bytes| self.base + i128::from(byte.get());
        (address(bytes.start), address(bytes.end))
    }
}

/// All sites of a program.
pub(super) struct Sites {
    sites: Vec<Site>,
    /// Indexed by buffer: its sites, each with the offset of the buffer's first byte in the tensor.
    of_buffer: Vec<Vec<(SiteId, Bytes)>>,
    of_tensor: BTreeMap<u32, Vec<SiteId>>,
    /// Indexed by memory: (start address, largest end address so far, site), sorted by start
    /// address.
    by_address: BTreeMap<u32, Vec<(i128, i128, SiteId)>>,
    /// Indexed by tensor: the external buffer that is its home, and the site.
    homes: BTreeMap<u32, (BufferId, SiteId)>,
    followed: BTreeSet<u32>,
}

impl Index<SiteId> for Sites {
    type Output = Site;

    fn index(&self, site: SiteId) -> &Site {
        &self.sites[site as usize]
    }
}

impl Sites {
    pub(super) fn new(program: &Program, levels: &Levels) -> Self {
        let mut numbers: HashMap<(u32, u32, i128), SiteId> = HashMap::new();
        let mut sites: Vec<Site> = Vec::new();
        let mut of_buffer = vec![Vec::new(); program.buffers.len()];
        let mut of_tensor: BTreeMap<u32, Vec<SiteId>> = BTreeMap::new();
        let mut homes = BTreeMap::new();
        for (index, buffer) in program.buffers.iter().enumerate() {
            for residence in levels.residences.get(index).into_iter().flatten() {
                let base = i128::from(residence.address.get()) - i128::from(residence.start.get());
                let bytes =
                    super::ranges::shift(Interval::new(Bytes::ZERO, buffer.size), residence.start);
                let key = (residence.tensor, residence.memory, base);
                let site = *numbers.entry(key).or_insert_with(|| {
                    of_tensor
                        .entry(residence.tensor)
                        .or_default()
                        .push(sites.len() as SiteId);
                    sites.push(Site {
                        tensor: residence.tensor,
                        memory: residence.memory,
                        base,
                        bytes,
                    });
                    sites.len() as SiteId - 1
                });
                let known = &mut sites[site as usize].bytes;
                *known = Interval::new(known.start.min(bytes.start), known.end.max(bytes.end));
                of_buffer[index].push((site, residence.start));
                if buffer.storage == Storage::External {
                    homes.insert(residence.tensor, (BufferId::new(index), site));
                }
            }
        }
        let mut by_address: BTreeMap<u32, Vec<(i128, i128, SiteId)>> = BTreeMap::new();
        for (id, site) in sites.iter().enumerate() {
            let (start, end) = site.addresses(site.bytes);
            let in_memory = by_address.entry(site.memory).or_default();
            in_memory.push((start, end, id as SiteId));
        }
        for in_memory in by_address.values_mut() {
            in_memory.sort_unstable();
            let mut largest = i128::MIN;
            for (_, end, _) in in_memory {
                largest = largest.max(*end);
                *end = largest;
            }
        }
        Self {
            sites,
            of_buffer,
            of_tensor,
            by_address,
            homes,
            followed: levels.followed(),
        }
    }

    pub(super) fn of_buffer(&self, buffer: BufferId) -> &[(SiteId, Bytes)] {
        &self.of_buffer[buffer.index()]
    }

    pub(super) fn of_tensor(&self, tensor: u32) -> &[SiteId] {
        self.of_tensor.get(&tensor).map_or(&[], Vec::as_slice)
    }

    /// Whether the contents of the site's tensor are followed.
    pub(super) fn is_followed(&self, site: SiteId) -> bool {
        self.followed.contains(&self[site].tensor)
    }

    /// Returns the external buffers, their tensors, and their sites.
    pub(super) fn homes(&self) -> impl Iterator<Item = (BufferId, u32, SiteId)> + '_ {
        let homes = self.homes.iter();
        homes.map(|(tensor, (buffer, site))| (*buffer, *tensor, *site))
    }

    pub(super) fn home(&self, tensor: u32) -> Option<SiteId> {
        self.homes.get(&tensor).map(|(_, site)| *site)
    }

    /// Returns the external buffer that is the home of a tensor.
    pub(super) fn home_buffer(&self, tensor: u32) -> Option<BufferId> {
        self.homes.get(&tensor).map(|(buffer, _)| *buffer)
    }

    /// Returns the other sites that occupy addresses of `bytes` of `site`, with the bytes of their
    /// tensors that are hit.
    pub(super) fn sharing(
        &self,
        site: SiteId,
        bytes: Interval<Bytes>,
    ) -> impl Iterator<Item = (SiteId, Interval<Bytes>)> + '_ {
        let own = &self[site];
        let (start, end) = own.addresses(bytes);
        let in_memory = self.by_address.get(&own.memory).map_or(&[][..], |m| m);
        let before = in_memory.partition_point(|(first, _, _)| *first < end);
        // Scan backwards from the last site that can overlap. The running maximum of the ends tells
        // when no earlier site reaches `start`.
        let candidates = in_memory[..before].iter().rev();
        let candidates = candidates.take_while(move |(_, reach, _)| *reach > start);
        candidates.filter_map(move |(_, _, other)| {
            let theirs = &self[*other];
            let byte = |address: i128| {
                let byte = (address - theirs.base).clamp(0, i128::from(u64::MAX));
                Bytes::new(byte as u64)
            };
            let lost = Interval::new(byte(start), byte(end)).intersection(theirs.bytes);
            (*other != site && !lost.is_empty()).then_some((*other, lost))
        })
    }

    /// Whether bytes of two sites have a common address.
    pub(super) fn meet(
        &self,
        a: SiteId,
        of_a: &IntervalSet<Bytes>,
        b: SiteId,
        of_b: &IntervalSet<Bytes>,
    ) -> bool {
        let (x, y) = (&self[a], &self[b]);
        x.memory == y.memory
            && of_a.iter().any(|own| {
                let own = x.addresses(own);
                of_b.iter().any(|theirs| {
                    let theirs = y.addresses(theirs);
                    own.0.max(theirs.0) < own.1.min(theirs.1)
                })
            })
    }
}
