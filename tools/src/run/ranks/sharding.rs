//! How tensors are divided among ranks, as a program states it after propagation, and the parts of
//! their values.
//!
//! Ranks are numbered row by row through the grid. A dimension that is split along several axes has
//! its parts in the order of the axes.

use mem_opt::internals::{Op, Value};

use super::RanksError;

/// How ranks are arranged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Grid(pub Vec<usize>);

/// Per dimension of a tensor: the axes of the grid that it is split along. Missing dimensions are
/// not split.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Sharding(pub Vec<Vec<usize>>);

/// The elements of a tensor that a rank has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Part {
    /// Per dimension: the first index, and the number of indices.
    ranges: Vec<(usize, usize)>,
}

impl Grid {
    pub(super) fn n_ranks(&self) -> usize {
        self.0.iter().product()
    }

    /// The position of a rank along each axis.
    fn position(&self, rank: usize) -> Vec<usize> {
        let mut rest = rank;
        let mut position: Vec<usize> = Vec::new();
        for size in self.0.iter().rev() {
            position.push(rest % size);
            rest /= size;
        }
        position.reverse();
        position
    }

    /// As options state it.
    pub(super) fn text(&self) -> String {
        let sizes: Vec<String> = self.0.iter().map(ToString::to_string).collect();
        sizes.join("x")
    }
}

impl Sharding {
    fn n_parts(&self, grid: &Grid, dimension: usize) -> usize {
        let axes = self.0.get(dimension).map_or(&[][..], Vec::as_slice);
        axes.iter()
            .map(|axis| grid.0.get(*axis).copied().unwrap_or(1))
            .product()
    }

    /// The part of a tensor that a rank has; `None` if a dimension cannot be divided evenly.
    pub(super) fn part(&self, grid: &Grid, rank: usize, shape: &[usize]) -> Option<Part> {
        let position = grid.position(rank);
        let range = |(dimension, size): (usize, &usize)| {
            let n_parts = self.n_parts(grid, dimension);
            let axes = self.0.get(dimension).map_or(&[][..], Vec::as_slice);
            let index = axes.iter().fold(0, |index, axis| {
                index * grid.0.get(*axis).copied().unwrap_or(1)
                    + position.get(*axis).copied().unwrap_or(0)
            });
            let own = size / n_parts;
            (size % n_parts == 0).then_some((index * own, own))
        };
        let ranges: Option<Vec<_>> = shape.iter().enumerate().map(range).collect();
        ranges.map(|ranges| Part { ranges })
    }

    /// The numbers of parts per dimension, as in `2x1`.
    pub(super) fn text(&self, grid: &Grid, rank: usize) -> String {
        let parts: Vec<String> = (0..rank)
            .map(|d| self.n_parts(grid, d).to_string())
            .collect();
        parts.join("x")
    }
}

impl Part {
    pub(super) fn shape(&self) -> Vec<usize> {
        self.ranges.iter().map(|(_, size)| *size).collect()
    }

    /// The positions of the part's rows in a tensor of `shape`, in elements, and the length of each.
    fn rows(&self, shape: &[usize]) -> (Vec<usize>, usize) {
        let Some((last, outer)) = self.ranges.split_last() else {
            return (vec![0], 1);
        };
        let mut rows = vec![0];
        for ((start, size), whole) in outer.iter().zip(shape) {
            let next = rows
                .iter()
                .flat_map(|row| (*start..start + size).map(move |index| row * whole + index));
            rows = next.collect();
        }
        let whole = shape.last().copied().unwrap_or(1);
        (
            rows.iter().map(|row| row * whole + last.0).collect(),
            last.1,
        )
    }

    /// Copies the part out of the bytes of a tensor.
    pub(super) fn scatter(&self, tensor: &[u8], shape: &[usize], element: usize) -> Vec<u8> {
        let (rows, length) = self.rows(shape);
        let bytes = |row: &usize| &tensor[row * element..(row + length) * element];
        rows.iter().flat_map(bytes).copied().collect()
    }
}

/// The shardings of the arguments and the results of a function, after propagation. A value without
/// a sharding is on all ranks.
pub(super) struct Signature {
    pub arguments: Vec<Sharding>,
    pub results: Vec<Sharding>,
}

/// Reads the shardings that propagation has written.
pub(super) fn of_function(function: Op) -> Result<Signature, RanksError> {
    let entry = function.regions().next().and_then(|own| own.first_block());
    let Some(entry) = entry else {
        return Err(RanksError::Form("the function has no body"));
    };
    let returns = entry
        .ops()
        .last()
        .filter(|last| last.name() == "func.return");
    let Some(returns) = returns else {
        return Err(RanksError::Form("the function has several blocks"));
    };
    let of_argument = |argument: Value| {
        let users = argument.users();
        // Uses are listed from the last one on; all that are annotated agree after propagation.
        let annotation = users.into_iter().find(|user| user.name() == "shard.shard");
        annotation.map_or(Ok(Sharding::default()), of_annotation)
    };
    let of_result = |value: Value| match value.owner().filter(|op| op.name() == "shard.shard") {
        Some(annotation) => of_annotation(annotation),
        None => Ok(Sharding::default()),
    };
    Ok(Signature {
        arguments: entry
            .arguments()
            .map(of_argument)
            .collect::<Result<_, _>>()?,
        results: returns
            .operands()
            .map(of_result)
            .collect::<Result<_, _>>()?,
    })
}

fn of_annotation(op: Op) -> Result<Sharding, RanksError> {
    let unknown = RanksError::Form("a sharding is not a 'shard.sharding'");
    let Some(sharding) = op
        .operand(1)
        .owner()
        .filter(|op| op.name() == "shard.sharding")
    else {
        return Err(unknown);
    };
    let text = |name: &str| sharding.attribute(name).map(|own| own.to_string());
    for uneven in ["static_halo_sizes", "static_sharded_dims_offsets"] {
        if text(uneven).is_some_and(|own| own.contains(':')) {
            return Err(RanksError::Form("parts overlap, or have different sizes"));
        }
    }
    let axes = text("split_axes").and_then(|own| nested_numbers(&own));
    axes.map(Sharding).ok_or(unknown)
}

/// The numbers in a text such as `#shard<axisarray[[0], [1, 2]]>`.
fn nested_numbers(text: &str) -> Option<Vec<Vec<usize>>> {
    let inner = text.split_once('[')?.1.rsplit_once(']')?.0;
    let lists = inner.split('[').skip(1);
    let numbers = |list: &str| {
        let list = list.split(']').next()?;
        let items = list
            .split(',')
            .map(str::trim)
            .filter(|item| !item.is_empty());
        items.map(|item| item.parse().ok()).collect()
    };
    lists.map(numbers).collect()
}

/// The grid of a module, which has to have one.
pub(super) fn grid_of(module: Op) -> Result<Grid, RanksError> {
    let mut grids = Vec::new();
    module.walk(&mut |op| grids.extend(Some(op).filter(|op| op.name() == "shard.grid")));
    let [grid] = grids[..] else {
        return Err(RanksError::Form("expected one 'shard.grid' in the module"));
    };
    let shape = grid.attribute("shape").map(|own| own.to_string());
    let sizes = shape.as_deref().and_then(|text| {
        let list = text.split_once(':')?.1.trim_end_matches('>');
        list.split(',')
            .map(|size| size.trim().parse().ok())
            .collect::<Option<Vec<usize>>>()
    });
    match sizes.filter(|sizes| sizes.iter().all(|size| *size > 0)) {
        Some(sizes) => Ok(Grid(sizes)),
        None => Err(RanksError::Form("the grid has no fixed shape")),
    }
}

/// Per result of a function that has been partitioned: whether a sum that was split between ranks is
/// among what it is computed from.
pub(super) fn have_split_sums(function: Op) -> Vec<bool> {
    let entry = function.regions().next().and_then(|own| own.first_block());
    let returns = entry.and_then(|block| block.ops().last());
    let results = returns
        .into_iter()
        .flat_map(|op| op.operands().collect::<Vec<_>>());
    results.map(depends_on_reduction).collect()
}

fn depends_on_reduction(value: Value) -> bool {
    let mut seen = std::collections::HashSet::new();
    let mut work = vec![value];
    while let Some(value) = work.pop() {
        let Some(op) = value.owner().filter(|op| seen.insert(*op)) else {
            continue;
        };
        let mut all = vec![op];
        op.walk(&mut |nested| all.push(nested));
        work.extend(all.iter().flat_map(|own| own.operands()));
        let mut names = all.iter().map(|own| own.name().to_owned());
        let is_reduction =
            names.any(|name| matches!(name.as_str(), "shard.all_reduce" | "shard.reduce_scatter"));
        if is_reduction {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_numbered_row_by_row() {
        let grid = Grid(vec![2, 3]);
        assert_eq!((grid.n_ranks(), grid.text()), (6, "2x3".to_owned()));
        assert_eq!(grid.position(0), [0, 0]);
        assert_eq!(grid.position(4), [1, 1]);
    }

    #[test]
    fn parts_are_slices() {
        let grid = Grid(vec![2, 2]);
        let sharding = Sharding(vec![vec![], vec![1]]);
        let part = sharding.part(&grid, 3, &[2, 4]).unwrap();
        assert_eq!(part.shape(), [2, 2]);
        assert_eq!(
            part.scatter(&[0, 1, 2, 3, 4, 5, 6, 7], &[2, 4], 1),
            [2, 3, 6, 7]
        );
        // One dimension along both axes.
        let sharding = Sharding(vec![vec![0, 1]]);
        let part = sharding.part(&grid, 2, &[4]).unwrap();
        assert_eq!(part.scatter(&[9, 0, 8, 0, 7, 0, 6, 0], &[4], 2), [7, 0]);
        assert_eq!(sharding.text(&grid, 2), "4x1");
        assert!(sharding.part(&grid, 0, &[6]).is_none());
    }

    #[test]
    fn a_number_and_a_whole_tensor_are_on_all_ranks() {
        let grid = Grid(vec![2]);
        let part = Sharding::default().part(&grid, 1, &[]).unwrap();
        assert_eq!(part.scatter(&[1, 2, 3, 4], &[], 4), [1, 2, 3, 4]);
        let part = Sharding::default().part(&grid, 1, &[1, 2]).unwrap();
        assert_eq!(part.scatter(&[1, 2], &[1, 2], 1), [1, 2]);
    }

    #[test]
    fn axes_are_read_from_their_text() {
        let read = nested_numbers("#shard<axisarray[[0], [], [1, 2]]>");
        assert_eq!(read, Some(vec![vec![0], vec![], vec![1, 2]]));
        assert_eq!(nested_numbers("#shard<axisarray[]>"), Some(vec![]));
        assert_eq!(nested_numbers("#shard<axisarray[[x]]>"), None);
    }
}
