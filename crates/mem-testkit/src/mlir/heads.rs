//! Attention with heads, as networks compute it: transposed views of the input, scores of all pairs of
//! rows, softmax, and the context.

use super::layers::{Layer, Network, matrix};

/// `batch` matrices.
fn matrices([batch, h, d]: [usize; 3]) -> String {
    format!("memref<{batch}x{h}x{d}xf32>")
}

impl Network<'_> {
    /// Attention of each head over the rows of a tensor.
    pub(super) fn heads(&mut self, source: &Layer) {
        let (value, [h, d]) = self.as_matrix(source);
        let dividing = |n: &usize| d.is_multiple_of(*n);
        let n_heads = (1..=3).rev().find(dividing).unwrap_or(1);
        let (width, from) = (d / n_heads, matrix([h, d]));
        let split = format!("memref<{h}x{n_heads}x{width}xf32>");
        let own = self.define(&format!(
            "memref.expand_shape {value} [[0], [1, 2]] output_shape [{h}, {n_heads}, {width}] : {from} \
             into {split}"
        ));
        let [query, keys] = [[1, 0, 2], [1, 2, 0]].map(|order| {
            let shape = order.map(|at| [h, n_heads, width][at]);
            let ty = matrices(shape);
            let result = self.alloc(&ty);
            self.line(&format!(
                "linalg.transpose ins({own} : {split}) outs({result} : {ty}) permutation = {order:?}"
            ));
            result
        });
        let (of_rows, of_columns) = (matrices([n_heads, h, width]), matrices([n_heads, width, h]));
        let square = matrices([n_heads, h, h]);
        let scores = self.zeros(&square);
        self.line(&format!(
            "linalg.batch_matmul ins({query}, {keys} : {of_rows}, {of_columns}) outs({scores} : {square})"
        ));
        let weights = self.softmax(&scores, n_heads, h);
        let context = self.zeros(&of_rows);
        self.line(&format!(
            "linalg.batch_matmul ins({weights}, {query} : {square}, {of_rows}) outs({context} : \
             {of_rows})"
        ));
        let joined = self.alloc(&split);
        self.line(&format!(
            "linalg.transpose ins({context} : {of_rows}) outs({joined} : {split}) permutation = [1, 0, 2]"
        ));
        let result = self.define(&format!(
            "memref.collapse_shape {joined} [[0], [1, 2]] : {split} into {from}"
        ));
        self.push_matrix(&result, [h, d]);
    }

    /// The exponentials of all scores relative to the largest of their row, divided by their sum.
    fn softmax(&mut self, scores: &str, n_heads: usize, h: usize) -> String {
        let (square, rows) = (matrices([n_heads, h, h]), matrix([n_heads, h]));
        let largest = self.reduction(scores, &square, &rows, "maximumf");
        let powers = self.alloc(&square);
        let body = "%d = arith.subf %i, %m : f32\n    %r = math.exp %d : f32";
        self.by_rows(scores, &largest, &powers, [&square, &rows], body);
        let sums = self.reduction(&powers, &square, &rows, "addf");
        let result = self.alloc(&square);
        let body = "%r = arith.divf %i, %m : f32";
        self.by_rows(&powers, &sums, &result, [&square, &rows], body);
        result
    }

    fn reduction(&mut self, of: &str, square: &str, rows: &str, operator: &str) -> String {
        let result = self.zeros(rows);
        self.line(&format!(
            "linalg.generic {{iterator_types = [\"parallel\", \"parallel\", \"reduction\"], indexing_maps = \
             [#ijk, #ij]}} ins({of} : {square}) outs({result} : {rows}) {{\n  ^bb0(%i: f32, %o: f32):\n    \
             %r = arith.{operator} %i, %o : f32\n    linalg.yield %r : f32\n  }}"
        ));
        result
    }

    /// Computes `%r` from each element `%i` and a number `%m` of its row.
    fn by_rows(
        &mut self,
        of: &str,
        numbers: &str,
        result: &str,
        [square, rows]: [&str; 2],
        body: &str,
    ) {
        self.line(&format!(
            "linalg.generic {{iterator_types = [\"parallel\", \"parallel\", \"parallel\"], indexing_maps = \
             [#ijk, #ij, #ijk]}} ins({of}, {numbers} : {square}, {rows}) outs({result} : {square}) {{\n  \
             ^bb0(%i: f32, %m: f32, %o: f32):\n    {body}\n    linalg.yield %r : f32\n  }}"
        ));
    }
}
