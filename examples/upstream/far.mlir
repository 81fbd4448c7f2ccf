// 170 stores to other places lie between a store and the one that overwrites it.
func.func @f(%a: memref<1xf32> {llvm.noalias}, %b: memref<170xf32> {llvm.noalias}, %x: f32, %y: f32) {
  %zero = arith.constant 0 : index
  memref.store %x, %a[%zero] : memref<1xf32>
  %c0 = arith.constant 0 : index
  memref.store %x, %b[%c0] : memref<170xf32>
  %c1 = arith.constant 1 : index
  memref.store %x, %b[%c1] : memref<170xf32>
  %c2 = arith.constant 2 : index
  memref.store %x, %b[%c2] : memref<170xf32>
  %c3 = arith.constant 3 : index
  memref.store %x, %b[%c3] : memref<170xf32>
  %c4 = arith.constant 4 : index
  memref.store %x, %b[%c4] : memref<170xf32>
  %c5 = arith.constant 5 : index
  memref.store %x, %b[%c5] : memref<170xf32>
  %c6 = arith.constant 6 : index
  memref.store %x, %b[%c6] : memref<170xf32>
  %c7 = arith.constant 7 : index
  memref.store %x, %b[%c7] : memref<170xf32>
  %c8 = arith.constant 8 : index
  memref.store %x, %b[%c8] : memref<170xf32>
  %c9 = arith.constant 9 : index
  memref.store %x, %b[%c9] : memref<170xf32>
  %c10 = arith.constant 10 : index
  memref.store %x, %b[%c10] : memref<170xf32>
  %c11 = arith.constant 11 : index
  memref.store %x, %b[%c11] : memref<170xf32>
  %c12 = arith.constant 12 : index
  memref.store %x, %b[%c12] : memref<170xf32>
  %c13 = arith.constant 13 : index
  memref.store %x, %b[%c13] : memref<170xf32>
  %c14 = arith.constant 14 : index
  memref.store %x, %b[%c14] : memref<170xf32>
  %c15 = arith.constant 15 : index
  memref.store %x, %b[%c15] : memref<170xf32>
  %c16 = arith.constant 16 : index
  memref.store %x, %b[%c16] : memref<170xf32>
  %c17 = arith.constant 17 : index
  memref.store %x, %b[%c17] : memref<170xf32>
  %c18 = arith.constant 18 : index
  memref.store %x, %b[%c18] : memref<170xf32>
  %c19 = arith.constant 19 : index
  memref.store %x, %b[%c19] : memref<170xf32>
  %c20 = arith.constant 20 : index
  memref.store %x, %b[%c20] : memref<170xf32>
  %c21 = arith.constant 21 : index
  memref.store %x, %b[%c21] : memref<170xf32>
  %c22 = arith.constant 22 : index
  memref.store %x, %b[%c22] : memref<170xf32>
  %c23 = arith.constant 23 : index
  memref.store %x, %b[%c23] : memref<170xf32>
  %c24 = arith.constant 24 : index
  memref.store %x, %b[%c24] : memref<170xf32>
  %c25 = arith.constant 25 : index
  memref.store %x, %b[%c25] : memref<170xf32>
  %c26 = arith.constant 26 : index
  memref.store %x, %b[%c26] : memref<170xf32>
  %c27 = arith.constant 27 : index
  memref.store %x, %b[%c27] : memref<170xf32>
  %c28 = arith.constant 28 : index
  memref.store %x, %b[%c28] : memref<170xf32>
  %c29 = arith.constant 29 : index
  memref.store %x, %b[%c29] : memref<170xf32>
  %c30 = arith.constant 30 : index
  memref.store %x, %b[%c30] : memref<170xf32>
  %c31 = arith.constant 31 : index
  memref.store %x, %b[%c31] : memref<170xf32>
  %c32 = arith.constant 32 : index
  memref.store %x, %b[%c32] : memref<170xf32>
  %c33 = arith.constant 33 : index
  memref.store %x, %b[%c33] : memref<170xf32>
  %c34 = arith.constant 34 : index
  memref.store %x, %b[%c34] : memref<170xf32>
  %c35 = arith.constant 35 : index
  memref.store %x, %b[%c35] : memref<170xf32>
  %c36 = arith.constant 36 : index
  memref.store %x, %b[%c36] : memref<170xf32>
  %c37 = arith.constant 37 : index
  memref.store %x, %b[%c37] : memref<170xf32>
  %c38 = arith.constant 38 : index
  memref.store %x, %b[%c38] : memref<170xf32>
  %c39 = arith.constant 39 : index
  memref.store %x, %b[%c39] : memref<170xf32>
  %c40 = arith.constant 40 : index
  memref.store %x, %b[%c40] : memref<170xf32>
  %c41 = arith.constant 41 : index
  memref.store %x, %b[%c41] : memref<170xf32>
  %c42 = arith.constant 42 : index
  memref.store %x, %b[%c42] : memref<170xf32>
  %c43 = arith.constant 43 : index
  memref.store %x, %b[%c43] : memref<170xf32>
  %c44 = arith.constant 44 : index
  memref.store %x, %b[%c44] : memref<170xf32>
  %c45 = arith.constant 45 : index
  memref.store %x, %b[%c45] : memref<170xf32>
  %c46 = arith.constant 46 : index
  memref.store %x, %b[%c46] : memref<170xf32>
  %c47 = arith.constant 47 : index
  memref.store %x, %b[%c47] : memref<170xf32>
  %c48 = arith.constant 48 : index
  memref.store %x, %b[%c48] : memref<170xf32>
  %c49 = arith.constant 49 : index
  memref.store %x, %b[%c49] : memref<170xf32>
  %c50 = arith.constant 50 : index
  memref.store %x, %b[%c50] : memref<170xf32>
  %c51 = arith.constant 51 : index
  memref.store %x, %b[%c51] : memref<170xf32>
  %c52 = arith.constant 52 : index
  memref.store %x, %b[%c52] : memref<170xf32>
  %c53 = arith.constant 53 : index
  memref.store %x, %b[%c53] : memref<170xf32>
  %c54 = arith.constant 54 : index
  memref.store %x, %b[%c54] : memref<170xf32>
  %c55 = arith.constant 55 : index
  memref.store %x, %b[%c55] : memref<170xf32>
  %c56 = arith.constant 56 : index
  memref.store %x, %b[%c56] : memref<170xf32>
  %c57 = arith.constant 57 : index
  memref.store %x, %b[%c57] : memref<170xf32>
  %c58 = arith.constant 58 : index
  memref.store %x, %b[%c58] : memref<170xf32>
  %c59 = arith.constant 59 : index
  memref.store %x, %b[%c59] : memref<170xf32>
  %c60 = arith.constant 60 : index
  memref.store %x, %b[%c60] : memref<170xf32>
  %c61 = arith.constant 61 : index
  memref.store %x, %b[%c61] : memref<170xf32>
  %c62 = arith.constant 62 : index
  memref.store %x, %b[%c62] : memref<170xf32>
  %c63 = arith.constant 63 : index
  memref.store %x, %b[%c63] : memref<170xf32>
  %c64 = arith.constant 64 : index
  memref.store %x, %b[%c64] : memref<170xf32>
  %c65 = arith.constant 65 : index
  memref.store %x, %b[%c65] : memref<170xf32>
  %c66 = arith.constant 66 : index
  memref.store %x, %b[%c66] : memref<170xf32>
  %c67 = arith.constant 67 : index
  memref.store %x, %b[%c67] : memref<170xf32>
  %c68 = arith.constant 68 : index
  memref.store %x, %b[%c68] : memref<170xf32>
  %c69 = arith.constant 69 : index
  memref.store %x, %b[%c69] : memref<170xf32>
  %c70 = arith.constant 70 : index
  memref.store %x, %b[%c70] : memref<170xf32>
  %c71 = arith.constant 71 : index
  memref.store %x, %b[%c71] : memref<170xf32>
  %c72 = arith.constant 72 : index
  memref.store %x, %b[%c72] : memref<170xf32>
  %c73 = arith.constant 73 : index
  memref.store %x, %b[%c73] : memref<170xf32>
  %c74 = arith.constant 74 : index
  memref.store %x, %b[%c74] : memref<170xf32>
  %c75 = arith.constant 75 : index
  memref.store %x, %b[%c75] : memref<170xf32>
  %c76 = arith.constant 76 : index
  memref.store %x, %b[%c76] : memref<170xf32>
  %c77 = arith.constant 77 : index
  memref.store %x, %b[%c77] : memref<170xf32>
  %c78 = arith.constant 78 : index
  memref.store %x, %b[%c78] : memref<170xf32>
  %c79 = arith.constant 79 : index
  memref.store %x, %b[%c79] : memref<170xf32>
  %c80 = arith.constant 80 : index
  memref.store %x, %b[%c80] : memref<170xf32>
  %c81 = arith.constant 81 : index
  memref.store %x, %b[%c81] : memref<170xf32>
  %c82 = arith.constant 82 : index
  memref.store %x, %b[%c82] : memref<170xf32>
  %c83 = arith.constant 83 : index
  memref.store %x, %b[%c83] : memref<170xf32>
  %c84 = arith.constant 84 : index
  memref.store %x, %b[%c84] : memref<170xf32>
  %c85 = arith.constant 85 : index
  memref.store %x, %b[%c85] : memref<170xf32>
  %c86 = arith.constant 86 : index
  memref.store %x, %b[%c86] : memref<170xf32>
  %c87 = arith.constant 87 : index
  memref.store %x, %b[%c87] : memref<170xf32>
  %c88 = arith.constant 88 : index
  memref.store %x, %b[%c88] : memref<170xf32>
  %c89 = arith.constant 89 : index
  memref.store %x, %b[%c89] : memref<170xf32>
  %c90 = arith.constant 90 : index
  memref.store %x, %b[%c90] : memref<170xf32>
  %c91 = arith.constant 91 : index
  memref.store %x, %b[%c91] : memref<170xf32>
  %c92 = arith.constant 92 : index
  memref.store %x, %b[%c92] : memref<170xf32>
  %c93 = arith.constant 93 : index
  memref.store %x, %b[%c93] : memref<170xf32>
  %c94 = arith.constant 94 : index
  memref.store %x, %b[%c94] : memref<170xf32>
  %c95 = arith.constant 95 : index
  memref.store %x, %b[%c95] : memref<170xf32>
  %c96 = arith.constant 96 : index
  memref.store %x, %b[%c96] : memref<170xf32>
  %c97 = arith.constant 97 : index
  memref.store %x, %b[%c97] : memref<170xf32>
  %c98 = arith.constant 98 : index
  memref.store %x, %b[%c98] : memref<170xf32>
  %c99 = arith.constant 99 : index
  memref.store %x, %b[%c99] : memref<170xf32>
  %c100 = arith.constant 100 : index
  memref.store %x, %b[%c100] : memref<170xf32>
  %c101 = arith.constant 101 : index
  memref.store %x, %b[%c101] : memref<170xf32>
  %c102 = arith.constant 102 : index
  memref.store %x, %b[%c102] : memref<170xf32>
  %c103 = arith.constant 103 : index
  memref.store %x, %b[%c103] : memref<170xf32>
  %c104 = arith.constant 104 : index
  memref.store %x, %b[%c104] : memref<170xf32>
  %c105 = arith.constant 105 : index
  memref.store %x, %b[%c105] : memref<170xf32>
  %c106 = arith.constant 106 : index
  memref.store %x, %b[%c106] : memref<170xf32>
  %c107 = arith.constant 107 : index
  memref.store %x, %b[%c107] : memref<170xf32>
  %c108 = arith.constant 108 : index
  memref.store %x, %b[%c108] : memref<170xf32>
  %c109 = arith.constant 109 : index
  memref.store %x, %b[%c109] : memref<170xf32>
  %c110 = arith.constant 110 : index
  memref.store %x, %b[%c110] : memref<170xf32>
  %c111 = arith.constant 111 : index
  memref.store %x, %b[%c111] : memref<170xf32>
  %c112 = arith.constant 112 : index
  memref.store %x, %b[%c112] : memref<170xf32>
  %c113 = arith.constant 113 : index
  memref.store %x, %b[%c113] : memref<170xf32>
  %c114 = arith.constant 114 : index
  memref.store %x, %b[%c114] : memref<170xf32>
  %c115 = arith.constant 115 : index
  memref.store %x, %b[%c115] : memref<170xf32>
  %c116 = arith.constant 116 : index
  memref.store %x, %b[%c116] : memref<170xf32>
  %c117 = arith.constant 117 : index
  memref.store %x, %b[%c117] : memref<170xf32>
  %c118 = arith.constant 118 : index
  memref.store %x, %b[%c118] : memref<170xf32>
  %c119 = arith.constant 119 : index
  memref.store %x, %b[%c119] : memref<170xf32>
  %c120 = arith.constant 120 : index
  memref.store %x, %b[%c120] : memref<170xf32>
  %c121 = arith.constant 121 : index
  memref.store %x, %b[%c121] : memref<170xf32>
  %c122 = arith.constant 122 : index
  memref.store %x, %b[%c122] : memref<170xf32>
  %c123 = arith.constant 123 : index
  memref.store %x, %b[%c123] : memref<170xf32>
  %c124 = arith.constant 124 : index
  memref.store %x, %b[%c124] : memref<170xf32>
  %c125 = arith.constant 125 : index
  memref.store %x, %b[%c125] : memref<170xf32>
  %c126 = arith.constant 126 : index
  memref.store %x, %b[%c126] : memref<170xf32>
  %c127 = arith.constant 127 : index
  memref.store %x, %b[%c127] : memref<170xf32>
  %c128 = arith.constant 128 : index
  memref.store %x, %b[%c128] : memref<170xf32>
  %c129 = arith.constant 129 : index
  memref.store %x, %b[%c129] : memref<170xf32>
  %c130 = arith.constant 130 : index
  memref.store %x, %b[%c130] : memref<170xf32>
  %c131 = arith.constant 131 : index
  memref.store %x, %b[%c131] : memref<170xf32>
  %c132 = arith.constant 132 : index
  memref.store %x, %b[%c132] : memref<170xf32>
  %c133 = arith.constant 133 : index
  memref.store %x, %b[%c133] : memref<170xf32>
  %c134 = arith.constant 134 : index
  memref.store %x, %b[%c134] : memref<170xf32>
  %c135 = arith.constant 135 : index
  memref.store %x, %b[%c135] : memref<170xf32>
  %c136 = arith.constant 136 : index
  memref.store %x, %b[%c136] : memref<170xf32>
  %c137 = arith.constant 137 : index
  memref.store %x, %b[%c137] : memref<170xf32>
  %c138 = arith.constant 138 : index
  memref.store %x, %b[%c138] : memref<170xf32>
  %c139 = arith.constant 139 : index
  memref.store %x, %b[%c139] : memref<170xf32>
  %c140 = arith.constant 140 : index
  memref.store %x, %b[%c140] : memref<170xf32>
  %c141 = arith.constant 141 : index
  memref.store %x, %b[%c141] : memref<170xf32>
  %c142 = arith.constant 142 : index
  memref.store %x, %b[%c142] : memref<170xf32>
  %c143 = arith.constant 143 : index
  memref.store %x, %b[%c143] : memref<170xf32>
  %c144 = arith.constant 144 : index
  memref.store %x, %b[%c144] : memref<170xf32>
  %c145 = arith.constant 145 : index
  memref.store %x, %b[%c145] : memref<170xf32>
  %c146 = arith.constant 146 : index
  memref.store %x, %b[%c146] : memref<170xf32>
  %c147 = arith.constant 147 : index
  memref.store %x, %b[%c147] : memref<170xf32>
  %c148 = arith.constant 148 : index
  memref.store %x, %b[%c148] : memref<170xf32>
  %c149 = arith.constant 149 : index
  memref.store %x, %b[%c149] : memref<170xf32>
  %c150 = arith.constant 150 : index
  memref.store %x, %b[%c150] : memref<170xf32>
  %c151 = arith.constant 151 : index
  memref.store %x, %b[%c151] : memref<170xf32>
  %c152 = arith.constant 152 : index
  memref.store %x, %b[%c152] : memref<170xf32>
  %c153 = arith.constant 153 : index
  memref.store %x, %b[%c153] : memref<170xf32>
  %c154 = arith.constant 154 : index
  memref.store %x, %b[%c154] : memref<170xf32>
  %c155 = arith.constant 155 : index
  memref.store %x, %b[%c155] : memref<170xf32>
  %c156 = arith.constant 156 : index
  memref.store %x, %b[%c156] : memref<170xf32>
  %c157 = arith.constant 157 : index
  memref.store %x, %b[%c157] : memref<170xf32>
  %c158 = arith.constant 158 : index
  memref.store %x, %b[%c158] : memref<170xf32>
  %c159 = arith.constant 159 : index
  memref.store %x, %b[%c159] : memref<170xf32>
  %c160 = arith.constant 160 : index
  memref.store %x, %b[%c160] : memref<170xf32>
  %c161 = arith.constant 161 : index
  memref.store %x, %b[%c161] : memref<170xf32>
  %c162 = arith.constant 162 : index
  memref.store %x, %b[%c162] : memref<170xf32>
  %c163 = arith.constant 163 : index
  memref.store %x, %b[%c163] : memref<170xf32>
  %c164 = arith.constant 164 : index
  memref.store %x, %b[%c164] : memref<170xf32>
  %c165 = arith.constant 165 : index
  memref.store %x, %b[%c165] : memref<170xf32>
  %c166 = arith.constant 166 : index
  memref.store %x, %b[%c166] : memref<170xf32>
  %c167 = arith.constant 167 : index
  memref.store %x, %b[%c167] : memref<170xf32>
  %c168 = arith.constant 168 : index
  memref.store %x, %b[%c168] : memref<170xf32>
  %c169 = arith.constant 169 : index
  memref.store %x, %b[%c169] : memref<170xf32>
  memref.store %y, %a[%zero] : memref<1xf32>
  return
}
