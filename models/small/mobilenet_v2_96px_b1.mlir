#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, 0, 0, d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3, d1)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, 0, 0, d1)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1)>
#map6 = affine_map<(d0, d1) -> (d0, d1)>
#map7 = affine_map<(d0, d1) -> (d1)>
#map8 = affine_map<(d0, d1) -> (d0)>
module @jit_main {
  func.func public @main(%arg0: memref<3x3x3x32xf32>, %arg1: memref<32xf32>, %arg2: memref<32xf32>, %arg3: memref<3x3x32x1xf32>, %arg4: memref<32xf32>, %arg5: memref<32xf32>, %arg6: memref<1x1x32x16xf32>, %arg7: memref<16xf32>, %arg8: memref<16xf32>, %arg9: memref<1x1x16x96xf32>, %arg10: memref<96xf32>, %arg11: memref<96xf32>, %arg12: memref<3x3x96x1xf32>, %arg13: memref<96xf32>, %arg14: memref<96xf32>, %arg15: memref<1x1x96x24xf32>, %arg16: memref<24xf32>, %arg17: memref<24xf32>, %arg18: memref<1x1x24x144xf32>, %arg19: memref<144xf32>, %arg20: memref<144xf32>, %arg21: memref<3x3x144x1xf32>, %arg22: memref<144xf32>, %arg23: memref<144xf32>, %arg24: memref<1x1x144x24xf32>, %arg25: memref<24xf32>, %arg26: memref<24xf32>, %arg27: memref<1x1x24x144xf32>, %arg28: memref<144xf32>, %arg29: memref<144xf32>, %arg30: memref<3x3x144x1xf32>, %arg31: memref<144xf32>, %arg32: memref<144xf32>, %arg33: memref<1x1x144x32xf32>, %arg34: memref<32xf32>, %arg35: memref<32xf32>, %arg36: memref<1x1x32x192xf32>, %arg37: memref<192xf32>, %arg38: memref<192xf32>, %arg39: memref<3x3x192x1xf32>, %arg40: memref<192xf32>, %arg41: memref<192xf32>, %arg42: memref<1x1x192x32xf32>, %arg43: memref<32xf32>, %arg44: memref<32xf32>, %arg45: memref<1x1x32x192xf32>, %arg46: memref<192xf32>, %arg47: memref<192xf32>, %arg48: memref<3x3x192x1xf32>, %arg49: memref<192xf32>, %arg50: memref<192xf32>, %arg51: memref<1x1x192x32xf32>, %arg52: memref<32xf32>, %arg53: memref<32xf32>, %arg54: memref<1x1x32x192xf32>, %arg55: memref<192xf32>, %arg56: memref<192xf32>, %arg57: memref<3x3x192x1xf32>, %arg58: memref<192xf32>, %arg59: memref<192xf32>, %arg60: memref<1x1x192x64xf32>, %arg61: memref<64xf32>, %arg62: memref<64xf32>, %arg63: memref<1x1x64x384xf32>, %arg64: memref<384xf32>, %arg65: memref<384xf32>, %arg66: memref<3x3x384x1xf32>, %arg67: memref<384xf32>, %arg68: memref<384xf32>, %arg69: memref<1x1x384x64xf32>, %arg70: memref<64xf32>, %arg71: memref<64xf32>, %arg72: memref<1x1x64x384xf32>, %arg73: memref<384xf32>, %arg74: memref<384xf32>, %arg75: memref<3x3x384x1xf32>, %arg76: memref<384xf32>, %arg77: memref<384xf32>, %arg78: memref<1x1x384x64xf32>, %arg79: memref<64xf32>, %arg80: memref<64xf32>, %arg81: memref<1x1x64x384xf32>, %arg82: memref<384xf32>, %arg83: memref<384xf32>, %arg84: memref<3x3x384x1xf32>, %arg85: memref<384xf32>, %arg86: memref<384xf32>, %arg87: memref<1x1x384x64xf32>, %arg88: memref<64xf32>, %arg89: memref<64xf32>, %arg90: memref<1x1x64x384xf32>, %arg91: memref<384xf32>, %arg92: memref<384xf32>, %arg93: memref<3x3x384x1xf32>, %arg94: memref<384xf32>, %arg95: memref<384xf32>, %arg96: memref<1x1x384x96xf32>, %arg97: memref<96xf32>, %arg98: memref<96xf32>, %arg99: memref<1x1x96x576xf32>, %arg100: memref<576xf32>, %arg101: memref<576xf32>, %arg102: memref<3x3x576x1xf32>, %arg103: memref<576xf32>, %arg104: memref<576xf32>, %arg105: memref<1x1x576x96xf32>, %arg106: memref<96xf32>, %arg107: memref<96xf32>, %arg108: memref<1x1x96x576xf32>, %arg109: memref<576xf32>, %arg110: memref<576xf32>, %arg111: memref<3x3x576x1xf32>, %arg112: memref<576xf32>, %arg113: memref<576xf32>, %arg114: memref<1x1x576x96xf32>, %arg115: memref<96xf32>, %arg116: memref<96xf32>, %arg117: memref<1x1x96x576xf32>, %arg118: memref<576xf32>, %arg119: memref<576xf32>, %arg120: memref<3x3x576x1xf32>, %arg121: memref<576xf32>, %arg122: memref<576xf32>, %arg123: memref<1x1x576x160xf32>, %arg124: memref<160xf32>, %arg125: memref<160xf32>, %arg126: memref<1x1x160x960xf32>, %arg127: memref<960xf32>, %arg128: memref<960xf32>, %arg129: memref<3x3x960x1xf32>, %arg130: memref<960xf32>, %arg131: memref<960xf32>, %arg132: memref<1x1x960x160xf32>, %arg133: memref<160xf32>, %arg134: memref<160xf32>, %arg135: memref<1x1x160x960xf32>, %arg136: memref<960xf32>, %arg137: memref<960xf32>, %arg138: memref<3x3x960x1xf32>, %arg139: memref<960xf32>, %arg140: memref<960xf32>, %arg141: memref<1x1x960x160xf32>, %arg142: memref<160xf32>, %arg143: memref<160xf32>, %arg144: memref<1x1x160x960xf32>, %arg145: memref<960xf32>, %arg146: memref<960xf32>, %arg147: memref<3x3x960x1xf32>, %arg148: memref<960xf32>, %arg149: memref<960xf32>, %arg150: memref<1x1x960x320xf32>, %arg151: memref<320xf32>, %arg152: memref<320xf32>, %arg153: memref<1x1x320x1280xf32>, %arg154: memref<1280xf32>, %arg155: memref<1280xf32>, %arg156: memref<1280x1000xf32>, %arg157: memref<1000xf32>, %arg158: memref<32xf32>, %arg159: memref<32xf32>, %arg160: memref<32xf32>, %arg161: memref<32xf32>, %arg162: memref<16xf32>, %arg163: memref<16xf32>, %arg164: memref<96xf32>, %arg165: memref<96xf32>, %arg166: memref<96xf32>, %arg167: memref<96xf32>, %arg168: memref<24xf32>, %arg169: memref<24xf32>, %arg170: memref<144xf32>, %arg171: memref<144xf32>, %arg172: memref<144xf32>, %arg173: memref<144xf32>, %arg174: memref<24xf32>, %arg175: memref<24xf32>, %arg176: memref<144xf32>, %arg177: memref<144xf32>, %arg178: memref<144xf32>, %arg179: memref<144xf32>, %arg180: memref<32xf32>, %arg181: memref<32xf32>, %arg182: memref<192xf32>, %arg183: memref<192xf32>, %arg184: memref<192xf32>, %arg185: memref<192xf32>, %arg186: memref<32xf32>, %arg187: memref<32xf32>, %arg188: memref<192xf32>, %arg189: memref<192xf32>, %arg190: memref<192xf32>, %arg191: memref<192xf32>, %arg192: memref<32xf32>, %arg193: memref<32xf32>, %arg194: memref<192xf32>, %arg195: memref<192xf32>, %arg196: memref<192xf32>, %arg197: memref<192xf32>, %arg198: memref<64xf32>, %arg199: memref<64xf32>, %arg200: memref<384xf32>, %arg201: memref<384xf32>, %arg202: memref<384xf32>, %arg203: memref<384xf32>, %arg204: memref<64xf32>, %arg205: memref<64xf32>, %arg206: memref<384xf32>, %arg207: memref<384xf32>, %arg208: memref<384xf32>, %arg209: memref<384xf32>, %arg210: memref<64xf32>, %arg211: memref<64xf32>, %arg212: memref<384xf32>, %arg213: memref<384xf32>, %arg214: memref<384xf32>, %arg215: memref<384xf32>, %arg216: memref<64xf32>, %arg217: memref<64xf32>, %arg218: memref<384xf32>, %arg219: memref<384xf32>, %arg220: memref<384xf32>, %arg221: memref<384xf32>, %arg222: memref<96xf32>, %arg223: memref<96xf32>, %arg224: memref<576xf32>, %arg225: memref<576xf32>, %arg226: memref<576xf32>, %arg227: memref<576xf32>, %arg228: memref<96xf32>, %arg229: memref<96xf32>, %arg230: memref<576xf32>, %arg231: memref<576xf32>, %arg232: memref<576xf32>, %arg233: memref<576xf32>, %arg234: memref<96xf32>, %arg235: memref<96xf32>, %arg236: memref<576xf32>, %arg237: memref<576xf32>, %arg238: memref<576xf32>, %arg239: memref<576xf32>, %arg240: memref<160xf32>, %arg241: memref<160xf32>, %arg242: memref<960xf32>, %arg243: memref<960xf32>, %arg244: memref<960xf32>, %arg245: memref<960xf32>, %arg246: memref<160xf32>, %arg247: memref<160xf32>, %arg248: memref<960xf32>, %arg249: memref<960xf32>, %arg250: memref<960xf32>, %arg251: memref<960xf32>, %arg252: memref<160xf32>, %arg253: memref<160xf32>, %arg254: memref<960xf32>, %arg255: memref<960xf32>, %arg256: memref<960xf32>, %arg257: memref<960xf32>, %arg258: memref<320xf32>, %arg259: memref<320xf32>, %arg260: memref<1280xf32>, %arg261: memref<1280xf32>, %arg262: memref<1x96x96x3xf32>, %arg263: memref<1x1000xf32> {bufferize.result}) {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 1.000000e-03 : f32
    %cst_1 = arith.constant 6.000000e+00 : f32
    %cst_2 = arith.constant 9.000000e+00 : f32
    %cst_3 = arith.constant 0xFF800000 : f32
    %alloc = memref.alloc() {alignment = 64 : i64} : memref<1x48x48x32xf32>
    linalg.fill ins(%cst : f32) outs(%alloc : memref<1x48x48x32xf32>)
    %alloc_4 = memref.alloc() {alignment = 64 : i64} : memref<1x97x97x3xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_4 : memref<1x97x97x3xf32>)
    %subview = memref.subview %alloc_4[0, 0, 0, 0] [1, 96, 96, 3] [1, 1, 1, 1] : memref<1x97x97x3xf32> to memref<1x96x96x3xf32, strided<[28227, 291, 3, 1]>>
    memref.copy %arg262, %subview : memref<1x96x96x3xf32> to memref<1x96x96x3xf32, strided<[28227, 291, 3, 1]>>
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%alloc_4, %arg0 : memref<1x97x97x3xf32>, memref<3x3x3x32xf32>) outs(%alloc : memref<1x48x48x32xf32>)
    %alloc_5 = memref.alloc() {alignment = 64 : i64} : memref<32xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg158 : memref<32xf32>) outs(%alloc_5 : memref<32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape = memref.expand_shape %alloc_5 [[0, 1, 2, 3]] output_shape [1, 1, 1, 32] : memref<32xf32> into memref<1x1x1x32xf32>
    %expand_shape_6 = memref.expand_shape %arg159 [[0, 1, 2, 3]] output_shape [1, 1, 1, 32] : memref<32xf32> into memref<1x1x1x32xf32>
    %expand_shape_7 = memref.expand_shape %arg1 [[0, 1, 2, 3]] output_shape [1, 1, 1, 32] : memref<32xf32> into memref<1x1x1x32xf32>
    %expand_shape_8 = memref.expand_shape %arg2 [[0, 1, 2, 3]] output_shape [1, 1, 1, 32] : memref<32xf32> into memref<1x1x1x32xf32>
    %alloc_9 = memref.alloc() {alignment = 64 : i64} : memref<1x48x48x32xf32>
    linalg.generic {indexing_maps = [#map1, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc, %expand_shape_6, %expand_shape_7, %expand_shape, %expand_shape_8 : memref<1x48x48x32xf32>, memref<1x1x1x32xf32>, memref<1x1x1x32xf32>, memref<1x1x1x32xf32>, memref<1x1x1x32xf32>) outs(%alloc_9 : memref<1x48x48x32xf32>) {
    ^bb0(%in: f32, %in_427: f32, %in_428: f32, %in_429: f32, %in_430: f32, %out: f32):
      %0 = arith.addf %in_427, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_428 : f32
      %3 = arith.mulf %in_429, %2 : f32
      %4 = arith.addf %3, %in_430 : f32
      %5 = arith.mulf %in, %2 : f32
      %6 = arith.addf %5, %4 : f32
      %7 = arith.maximumf %6, %cst : f32
      %8 = arith.minimumf %7, %cst_1 : f32
      linalg.yield %8 : f32
    }
    %alloc_10 = memref.alloc() {alignment = 64 : i64} : memref<1x50x50x32xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_10 : memref<1x50x50x32xf32>)
    %subview_11 = memref.subview %alloc_10[0, 1, 1, 0] [1, 48, 48, 32] [1, 1, 1, 1] : memref<1x50x50x32xf32> to memref<1x48x48x32xf32, strided<[80000, 1600, 32, 1], offset: 1632>>
    memref.copy %alloc_9, %subview_11 : memref<1x48x48x32xf32> to memref<1x48x48x32xf32, strided<[80000, 1600, 32, 1], offset: 1632>>
    %alloc_12 = memref.alloc() {alignment = 64 : i64} : memref<1x48x48x32xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_12 : memref<1x48x48x32xf32>)
    %collapse_shape = memref.collapse_shape %arg3 [[0], [1], [2, 3]] : memref<3x3x32x1xf32> into memref<3x3x32xf32>
    linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_10, %collapse_shape : memref<1x50x50x32xf32>, memref<3x3x32xf32>) outs(%alloc_12 : memref<1x48x48x32xf32>)
    %alloc_13 = memref.alloc() {alignment = 64 : i64} : memref<32xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg160 : memref<32xf32>) outs(%alloc_13 : memref<32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_14 = memref.expand_shape %alloc_13 [[0, 1, 2, 3]] output_shape [1, 1, 1, 32] : memref<32xf32> into memref<1x1x1x32xf32>
    %expand_shape_15 = memref.expand_shape %arg161 [[0, 1, 2, 3]] output_shape [1, 1, 1, 32] : memref<32xf32> into memref<1x1x1x32xf32>
    %expand_shape_16 = memref.expand_shape %arg4 [[0, 1, 2, 3]] output_shape [1, 1, 1, 32] : memref<32xf32> into memref<1x1x1x32xf32>
    %expand_shape_17 = memref.expand_shape %arg5 [[0, 1, 2, 3]] output_shape [1, 1, 1, 32] : memref<32xf32> into memref<1x1x1x32xf32>
    %alloc_18 = memref.alloc() {alignment = 64 : i64} : memref<1x48x48x32xf32>
    linalg.generic {indexing_maps = [#map1, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_12, %expand_shape_15, %expand_shape_16, %expand_shape_14, %expand_shape_17 : memref<1x48x48x32xf32>, memref<1x1x1x32xf32>, memref<1x1x1x32xf32>, memref<1x1x1x32xf32>, memref<1x1x1x32xf32>) outs(%alloc_18 : memref<1x48x48x32xf32>) {
    ^bb0(%in: f32, %in_427: f32, %in_428: f32, %in_429: f32, %in_430: f32, %out: f32):
      %0 = arith.addf %in_427, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_428 : f32
      %3 = arith.mulf %in_429, %2 : f32
      %4 = arith.addf %3, %in_430 : f32
      %5 = arith.mulf %in, %2 : f32
      %6 = arith.addf %5, %4 : f32
      %7 = arith.maximumf %6, %cst : f32
      %8 = arith.minimumf %7, %cst_1 : f32
      linalg.yield %8 : f32
    }
    %alloc_19 = memref.alloc() {alignment = 64 : i64} : memref<1x48x48x16xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_19 : memref<1x48x48x16xf32>)
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_18, %arg6 : memref<1x48x48x32xf32>, memref<1x1x32x16xf32>) outs(%alloc_19 : memref<1x48x48x16xf32>)
    %alloc_20 = memref.alloc() {alignment = 64 : i64} : memref<16xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg162 : memref<16xf32>) outs(%alloc_20 : memref<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_21 = memref.expand_shape %alloc_20 [[0, 1, 2, 3]] output_shape [1, 1, 1, 16] : memref<16xf32> into memref<1x1x1x16xf32>
    %expand_shape_22 = memref.expand_shape %arg163 [[0, 1, 2, 3]] output_shape [1, 1, 1, 16] : memref<16xf32> into memref<1x1x1x16xf32>
    %expand_shape_23 = memref.expand_shape %arg7 [[0, 1, 2, 3]] output_shape [1, 1, 1, 16] : memref<16xf32> into memref<1x1x1x16xf32>
    %expand_shape_24 = memref.expand_shape %arg8 [[0, 1, 2, 3]] output_shape [1, 1, 1, 16] : memref<16xf32> into memref<1x1x1x16xf32>
    %alloc_25 = memref.alloc() {alignment = 64 : i64} : memref<1x48x48x16xf32>
    linalg.generic {indexing_maps = [#map1, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_19, %expand_shape_22, %expand_shape_23, %expand_shape_21, %expand_shape_24 : memref<1x48x48x16xf32>, memref<1x1x1x16xf32>, memref<1x1x1x16xf32>, memref<1x1x1x16xf32>, memref<1x1x1x16xf32>) outs(%alloc_25 : memref<1x48x48x16xf32>) {
    ^bb0(%in: f32, %in_427: f32, %in_428: f32, %in_429: f32, %in_430: f32, %out: f32):
      %0 = arith.addf %in_427, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_428 : f32
      %3 = arith.mulf %in_429, %2 : f32
      %4 = arith.addf %3, %in_430 : f32
      %5 = arith.mulf %in, %2 : f32
      %6 = arith.addf %5, %4 : f32
      linalg.yield %6 : f32
    }
    %alloc_26 = memref.alloc() {alignment = 64 : i64} : memref<1x48x48x96xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_26 : memref<1x48x48x96xf32>)
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_25, %arg9 : memref<1x48x48x16xf32>, memref<1x1x16x96xf32>) outs(%alloc_26 : memref<1x48x48x96xf32>)
    %alloc_27 = memref.alloc() {alignment = 64 : i64} : memref<96xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg164 : memref<96xf32>) outs(%alloc_27 : memref<96xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_28 = memref.expand_shape %alloc_27 [[0, 1, 2, 3]] output_shape [1, 1, 1, 96] : memref<96xf32> into memref<1x1x1x96xf32>
    %expand_shape_29 = memref.expand_shape %arg165 [[0, 1, 2, 3]] output_shape [1, 1, 1, 96] : memref<96xf32> into memref<1x1x1x96xf32>
    %expand_shape_30 = memref.expand_shape %arg10 [[0, 1, 2, 3]] output_shape [1, 1, 1, 96] : memref<96xf32> into memref<1x1x1x96xf32>
    %expand_shape_31 = memref.expand_shape %arg11 [[0, 1, 2, 3]] output_shape [1, 1, 1, 96] : memref<96xf32> into memref<1x1x1x96xf32>
    %alloc_32 = memref.alloc() {alignment = 64 : i64} : memref<1x48x48x96xf32>
    linalg.generic {indexing_maps = [#map1, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_26, %expand_shape_29, %expand_shape_30, %expand_shape_28, %expand_shape_31 : memref<1x48x48x96xf32>, memref<1x1x1x96xf32>, memref<1x1x1x96xf32>, memref<1x1x1x96xf32>, memref<1x1x1x96xf32>) outs(%alloc_32 : memref<1x48x48x96xf32>) {
    ^bb0(%in: f32, %in_427: f32, %in_428: f32, %in_429: f32, %in_430: f32, %out: f32):
      %0 = arith.addf %in_427, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_428 : f32
      %3 = arith.mulf %in_429, %2 : f32
      %4 = arith.addf %3, %in_430 : f32
      %5 = arith.mulf %in, %2 : f32
      %6 = arith.addf %5, %4 : f32
      %7 = arith.maximumf %6, %cst : f32
      %8 = arith.minimumf %7, %cst_1 : f32
      linalg.yield %8 : f32
    }
    %alloc_33 = memref.alloc() {alignment = 64 : i64} : memref<1x49x49x96xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_33 : memref<1x49x49x96xf32>)
    %subview_34 = memref.subview %alloc_33[0, 0, 0, 0] [1, 48, 48, 96] [1, 1, 1, 1] : memref<1x49x49x96xf32> to memref<1x48x48x96xf32, strided<[230496, 4704, 96, 1]>>
    memref.copy %alloc_32, %subview_34 : memref<1x48x48x96xf32> to memref<1x48x48x96xf32, strided<[230496, 4704, 96, 1]>>
    %alloc_35 = memref.alloc() {alignment = 64 : i64} : memref<1x24x24x96xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_35 : memref<1x24x24x96xf32>)
    %collapse_shape_36 = memref.collapse_shape %arg12 [[0], [1], [2, 3]] : memref<3x3x96x1xf32> into memref<3x3x96xf32>
    linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%alloc_33, %collapse_shape_36 : memref<1x49x49x96xf32>, memref<3x3x96xf32>) outs(%alloc_35 : memref<1x24x24x96xf32>)
    %alloc_37 = memref.alloc() {alignment = 64 : i64} : memref<96xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg166 : memref<96xf32>) outs(%alloc_37 : memref<96xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_38 = memref.expand_shape %alloc_37 [[0, 1, 2, 3]] output_shape [1, 1, 1, 96] : memref<96xf32> into memref<1x1x1x96xf32>
    %expand_shape_39 = memref.expand_shape %arg167 [[0, 1, 2, 3]] output_shape [1, 1, 1, 96] : memref<96xf32> into memref<1x1x1x96xf32>
    %expand_shape_40 = memref.expand_shape %arg13 [[0, 1, 2, 3]] output_shape [1, 1, 1, 96] : memref<96xf32> into memref<1x1x1x96xf32>
    %expand_shape_41 = memref.expand_shape %arg14 [[0, 1, 2, 3]] output_shape [1, 1, 1, 96] : memref<96xf32> into memref<1x1x1x96xf32>
    %alloc_42 = memref.alloc() {alignment = 64 : i64} : memref<1x24x24x96xf32>
    linalg.generic {indexing_maps = [#map1, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_35, %expand_shape_39, %expand_shape_40, %expand_shape_38, %expand_shape_41 : memref<1x24x24x96xf32>, memref<1x1x1x96xf32>, memref<1x1x1x96xf32>, memref<1x1x1x96xf32>, memref<1x1x1x96xf32>) outs(%alloc_42 : memref<1x24x24x96xf32>) {
    ^bb0(%in: f32, %in_427: f32, %in_428: f32, %in_429: f32, %in_430: f32, %out: f32):
      %0 = arith.addf %in_427, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_428 : f32
      %3 = arith.mulf %in_429, %2 : f32
      %4 = arith.addf %3, %in_430 : f32
      %5 = arith.mulf %in, %2 : f32
      %6 = arith.addf %5, %4 : f32
      %7 = arith.maximumf %6, %cst : f32
      %8 = arith.minimumf %7, %cst_1 : f32
      linalg.yield %8 : f32
    }
    %alloc_43 = memref.alloc() {alignment = 64 : i64} : memref<1x24x24x24xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_43 : memref<1x24x24x24xf32>)
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_42, %arg15 : memref<1x24x24x96xf32>, memref<1x1x96x24xf32>) outs(%alloc_43 : memref<1x24x24x24xf32>)
    %alloc_44 = memref.alloc() {alignment = 64 : i64} : memref<24xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg168 : memref<24xf32>) outs(%alloc_44 : memref<24xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_45 = memref.expand_shape %alloc_44 [[0, 1, 2, 3]] output_shape [1, 1, 1, 24] : memref<24xf32> into memref<1x1x1x24xf32>
    %expand_shape_46 = memref.expand_shape %arg169 [[0, 1, 2, 3]] output_shape [1, 1, 1, 24] : memref<24xf32> into memref<1x1x1x24xf32>
    %expand_shape_47 = memref.expand_shape %arg16 [[0, 1, 2, 3]] output_shape [1, 1, 1, 24] : memref<24xf32> into memref<1x1x1x24xf32>
    %expand_shape_48 = memref.expand_shape %arg17 [[0, 1, 2, 3]] output_shape [1, 1, 1, 24] : memref<24xf32> into memref<1x1x1x24xf32>
    %alloc_49 = memref.alloc() {alignment = 64 : i64} : memref<1x24x24x24xf32>
    linalg.generic {indexing_maps = [#map1, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_43, %expand_shape_46, %expand_shape_47, %expand_shape_45, %expand_shape_48 : memref<1x24x24x24xf32>, memref<1x1x1x24xf32>, memref<1x1x1x24xf32>, memref<1x1x1x24xf32>, memref<1x1x1x24xf32>) outs(%alloc_49 : memref<1x24x24x24xf32>) {
    ^bb0(%in: f32, %in_427: f32, %in_428: f32, %in_429: f32, %in_430: f32, %out: f32):
      %0 = arith.addf %in_427, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_428 : f32
      %3 = arith.mulf %in_429, %2 : f32
      %4 = arith.addf %3, %in_430 : f32
      %5 = arith.mulf %in, %2 : f32
      %6 = arith.addf %5, %4 : f32
      linalg.yield %6 : f32
    }
    %alloc_50 = memref.alloc() {alignment = 64 : i64} : memref<1x24x24x144xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_50 : memref<1x24x24x144xf32>)
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_49, %arg18 : memref<1x24x24x24xf32>, memref<1x1x24x144xf32>) outs(%alloc_50 : memref<1x24x24x144xf32>)
    %alloc_51 = memref.alloc() {alignment = 64 : i64} : memref<144xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg170 : memref<144xf32>) outs(%alloc_51 : memref<144xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_52 = memref.expand_shape %alloc_51 [[0, 1, 2, 3]] output_shape [1, 1, 1, 144] : memref<144xf32> into memref<1x1x1x144xf32>
    %expand_shape_53 = memref.expand_shape %arg171 [[0, 1, 2, 3]] output_shape [1, 1, 1, 144] : memref<144xf32> into memref<1x1x1x144xf32>
    %expand_shape_54 = memref.expand_shape %arg19 [[0, 1, 2, 3]] output_shape [1, 1, 1, 144] : memref<144xf32> into memref<1x1x1x144xf32>
    %expand_shape_55 = memref.expand_shape %arg20 [[0, 1, 2, 3]] output_shape [1, 1, 1, 144] : memref<144xf32> into memref<1x1x1x144xf32>
    %alloc_56 = memref.alloc() {alignment = 64 : i64} : memref<1x24x24x144xf32>
    linalg.generic {indexing_maps = [#map1, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_50, %expand_shape_53, %expand_shape_54, %expand_shape_52, %expand_shape_55 : memref<1x24x24x144xf32>, memref<1x1x1x144xf32>, memref<1x1x1x144xf32>, memref<1x1x1x144xf32>, memref<1x1x1x144xf32>) outs(%alloc_56 : memref<1x24x24x144xf32>) {
    ^bb0(%in: f32, %in_427: f32, %in_428: f32, %in_429: f32, %in_430: f32, %out: f32):
      %0 = arith.addf %in_427, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_428 : f32
      %3 = arith.mulf %in_429, %2 : f32
      %4 = arith.addf %3, %in_430 : f32
      %5 = arith.mulf %in, %2 : f32
      %6 = arith.addf %5, %4 : f32
      %7 = arith.maximumf %6, %cst : f32
      %8 = arith.minimumf %7, %cst_1 : f32
      linalg.yield %8 : f32
    }
    %alloc_57 = memref.alloc() {alignment = 64 : i64} : memref<1x26x26x144xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_57 : memref<1x26x26x144xf32>)
    %subview_58 = memref.subview %alloc_57[0, 1, 1, 0] [1, 24, 24, 144] [1, 1, 1, 1] : memref<1x26x26x144xf32> to memref<1x24x24x144xf32, strided<[97344, 3744, 144, 1], offset: 3888>>
    memref.copy %alloc_56, %subview_58 : memref<1x24x24x144xf32> to memref<1x24x24x144xf32, strided<[97344, 3744, 144, 1], offset: 3888>>
    %alloc_59 = memref.alloc() {alignment = 64 : i64} : memref<1x24x24x144xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_59 : memref<1x24x24x144xf32>)
    %collapse_shape_60 = memref.collapse_shape %arg21 [[0], [1], [2, 3]] : memref<3x3x144x1xf32> into memref<3x3x144xf32>
    linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_57, %collapse_shape_60 : memref<1x26x26x144xf32>, memref<3x3x144xf32>) outs(%alloc_59 : memref<1x24x24x144xf32>)
    %alloc_61 = memref.alloc() {alignment = 64 : i64} : memref<144xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg172 : memref<144xf32>) outs(%alloc_61 : memref<144xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_62 = memref.expand_shape %alloc_61 [[0, 1, 2, 3]] output_shape [1, 1, 1, 144] : memref<144xf32> into memref<1x1x1x144xf32>
    %expand_shape_63 = memref.expand_shape %arg173 [[0, 1, 2, 3]] output_shape [1, 1, 1, 144] : memref<144xf32> into memref<1x1x1x144xf32>
    %expand_shape_64 = memref.expand_shape %arg22 [[0, 1, 2, 3]] output_shape [1, 1, 1, 144] : memref<144xf32> into memref<1x1x1x144xf32>
    %expand_shape_65 = memref.expand_shape %arg23 [[0, 1, 2, 3]] output_shape [1, 1, 1, 144] : memref<144xf32> into memref<1x1x1x144xf32>
    %alloc_66 = memref.alloc() {alignment = 64 : i64} : memref<1x24x24x144xf32>
    linalg.generic {indexing_maps = [#map1, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_59, %expand_shape_63, %expand_shape_64, %expand_shape_62, %expand_shape_65 : memref<1x24x24x144xf32>, memref<1x1x1x144xf32>, memref<1x1x1x144xf32>, memref<1x1x1x144xf32>, memref<1x1x1x144xf32>) outs(%alloc_66 : memref<1x24x24x144xf32>) {
    ^bb0(%in: f32, %in_427: f32, %in_428: f32, %in_429: f32, %in_430: f32, %out: f32):
      %0 = arith.addf %in_427, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_428 : f32
      %3 = arith.mulf %in_429, %2 : f32
      %4 = arith.addf %3, %in_430 : f32
      %5 = arith.mulf %in, %2 : f32
      %6 = arith.addf %5, %4 : f32
      %7 = arith.maximumf %6, %cst : f32
      %8 = arith.minimumf %7, %cst_1 : f32
      linalg.yield %8 : f32
    }
    %alloc_67 = memref.alloc() {alignment = 64 : i64} : memref<1x24x24x24xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_67 : memref<1x24x24x24xf32>)
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_66, %arg24 : memref<1x24x24x144xf32>, memref<1x1x144x24xf32>) outs(%alloc_67 : memref<1x24x24x24xf32>)
    %alloc_68 = memref.alloc() {alignment = 64 : i64} : memref<24xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg174 : memref<24xf32>) outs(%alloc_68 : memref<24xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_69 = memref.expand_shape %alloc_68 [[0, 1, 2, 3]] output_shape [1, 1, 1, 24] : memref<24xf32> into memref<1x1x1x24xf32>
    %expand_shape_70 = memref.expand_shape %arg175 [[0, 1, 2, 3]] output_shape [1, 1, 1, 24] : memref<24xf32> into memref<1x1x1x24xf32>
    %expand_shape_71 = memref.expand_shape %arg25 [[0, 1, 2, 3]] output_shape [1, 1, 1, 24] : memref<24xf32> into memref<1x1x1x24xf32>
    %expand_shape_72 = memref.expand_shape %arg26 [[0, 1, 2, 3]] output_shape [1, 1, 1, 24] : memref<24xf32> into memref<1x1x1x24xf32>
    %alloc_73 = memref.alloc() {alignment = 64 : i64} : memref<1x24x24x24xf32>
    linalg.generic {indexing_maps = [#map1, #map1, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_49, %alloc_67, %expand_shape_70, %expand_shape_71, %expand_shape_69, %expand_shape_72 : memref<1x24x24x24xf32>, memref<1x24x24x24xf32>, memref<1x1x1x24xf32>, memref<1x1x1x24xf32>, memref<1x1x1x24xf32>, memref<1x1x1x24xf32>) outs(%alloc_73 : memref<1x24x24x24xf32>) {
    ^bb0(%in: f32, %in_427: f32, %in_428: f32, %in_429: f32, %in_430: f32, %in_431: f32, %out: f32):
      %0 = arith.addf %in_428, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_429 : f32
      %3 = arith.mulf %in_430, %2 : f32
      %4 = arith.addf %3, %in_431 : f32
      %5 = arith.mulf %in_427, %2 : f32
      %6 = arith.addf %5, %4 : f32
      %7 = arith.addf %in, %6 : f32
      linalg.yield %7 : f32
    }
    %alloc_74 = memref.alloc() {alignment = 64 : i64} : memref<1x24x24x144xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_74 : memref<1x24x24x144xf32>)
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_73, %arg27 : memref<1x24x24x24xf32>, memref<1x1x24x144xf32>) outs(%alloc_74 : memref<1x24x24x144xf32>)
    %alloc_75 = memref.alloc() {alignment = 64 : i64} : memref<144xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg176 : memref<144xf32>) outs(%alloc_75 : memref<144xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_76 = memref.expand_shape %alloc_75 [[0, 1, 2, 3]] output_shape [1, 1, 1, 144] : memref<144xf32> into memref<1x1x1x144xf32>
    %expand_shape_77 = memref.expand_shape %arg177 [[0, 1, 2, 3]] output_shape [1, 1, 1, 144] : memref<144xf32> into memref<1x1x1x144xf32>
    %expand_shape_78 = memref.expand_shape %arg28 [[0, 1, 2, 3]] output_shape [1, 1, 1, 144] : memref<144xf32> into memref<1x1x1x144xf32>
    %expand_shape_79 = memref.expand_shape %arg29 [[0, 1, 2, 3]] output_shape [1, 1, 1, 144] : memref<144xf32> into memref<1x1x1x144xf32>
    %alloc_80 = memref.alloc() {alignment = 64 : i64} : memref<1x24x24x144xf32>
    linalg.generic {indexing_maps = [#map1, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_74, %expand_shape_77, %expand_shape_78, %expand_shape_76, %expand_shape_79 : memref<1x24x24x144xf32>, memref<1x1x1x144xf32>, memref<1x1x1x144xf32>, memref<1x1x1x144xf32>, memref<1x1x1x144xf32>) outs(%alloc_80 : memref<1x24x24x144xf32>) {
    ^bb0(%in: f32, %in_427: f32, %in_428: f32, %in_429: f32, %in_430: f32, %out: f32):
      %0 = arith.addf %in_427, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_428 : f32
      %3 = arith.mulf %in_429, %2 : f32
      %4 = arith.addf %3, %in_430 : f32
      %5 = arith.mulf %in, %2 : f32
      %6 = arith.addf %5, %4 : f32
      %7 = arith.maximumf %6, %cst : f32
      %8 = arith.minimumf %7, %cst_1 : f32
      linalg.yield %8 : f32
    }
    %alloc_81 = memref.alloc() {alignment = 64 : i64} : memref<1x25x25x144xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_81 : memref<1x25x25x144xf32>)
    %subview_82 = memref.subview %alloc_81[0, 0, 0, 0] [1, 24, 24, 144] [1, 1, 1, 1] : memref<1x25x25x144xf32> to memref<1x24x24x144xf32, strided<[90000, 3600, 144, 1]>>
    memref.copy %alloc_80, %subview_82 : memref<1x24x24x144xf32> to memref<1x24x24x144xf32, strided<[90000, 3600, 144, 1]>>
    %alloc_83 = memref.alloc() {alignment = 64 : i64} : memref<1x12x12x144xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_83 : memref<1x12x12x144xf32>)
    %collapse_shape_84 = memref.collapse_shape %arg30 [[0], [1], [2, 3]] : memref<3x3x144x1xf32> into memref<3x3x144xf32>
    linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%alloc_81, %collapse_shape_84 : memref<1x25x25x144xf32>, memref<3x3x144xf32>) outs(%alloc_83 : memref<1x12x12x144xf32>)
    %alloc_85 = memref.alloc() {alignment = 64 : i64} : memref<144xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg178 : memref<144xf32>) outs(%alloc_85 : memref<144xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_86 = memref.expand_shape %alloc_85 [[0, 1, 2, 3]] output_shape [1, 1, 1, 144] : memref<144xf32> into memref<1x1x1x144xf32>
    %expand_shape_87 = memref.expand_shape %arg179 [[0, 1, 2, 3]] output_shape [1, 1, 1, 144] : memref<144xf32> into memref<1x1x1x144xf32>
    %expand_shape_88 = memref.expand_shape %arg31 [[0, 1, 2, 3]] output_shape [1, 1, 1, 144] : memref<144xf32> into memref<1x1x1x144xf32>
    %expand_shape_89 = memref.expand_shape %arg32 [[0, 1, 2, 3]] output_shape [1, 1, 1, 144] : memref<144xf32> into memref<1x1x1x144xf32>
    %alloc_90 = memref.alloc() {alignment = 64 : i64} : memref<1x12x12x144xf32>
    linalg.generic {indexing_maps = [#map1, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_83, %expand_shape_87, %expand_shape_88, %expand_shape_86, %expand_shape_89 : memref<1x12x12x144xf32>, memref<1x1x1x144xf32>, memref<1x1x1x144xf32>, memref<1x1x1x144xf32>, memref<1x1x1x144xf32>) outs(%alloc_90 : memref<1x12x12x144xf32>) {
    ^bb0(%in: f32, %in_427: f32, %in_428: f32, %in_429: f32, %in_430: f32, %out: f32):
      %0 = arith.addf %in_427, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_428 : f32
      %3 = arith.mulf %in_429, %2 : f32
      %4 = arith.addf %3, %in_430 : f32
      %5 = arith.mulf %in, %2 : f32
      %6 = arith.addf %5, %4 : f32
      %7 = arith.maximumf %6, %cst : f32
      %8 = arith.minimumf %7, %cst_1 : f32
      linalg.yield %8 : f32
    }
    %alloc_91 = memref.alloc() {alignment = 64 : i64} : memref<1x12x12x32xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_91 : memref<1x12x12x32xf32>)
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_90, %arg33 : memref<1x12x12x144xf32>, memref<1x1x144x32xf32>) outs(%alloc_91 : memref<1x12x12x32xf32>)
    %alloc_92 = memref.alloc() {alignment = 64 : i64} : memref<32xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg180 : memref<32xf32>) outs(%alloc_92 : memref<32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_93 = memref.expand_shape %alloc_92 [[0, 1, 2, 3]] output_shape [1, 1, 1, 32] : memref<32xf32> into memref<1x1x1x32xf32>
    %expand_shape_94 = memref.expand_shape %arg181 [[0, 1, 2, 3]] output_shape [1, 1, 1, 32] : memref<32xf32> into memref<1x1x1x32xf32>
    %expand_shape_95 = memref.expand_shape %arg34 [[0, 1, 2, 3]] output_shape [1, 1, 1, 32] : memref<32xf32> into memref<1x1x1x32xf32>
    %expand_shape_96 = memref.expand_shape %arg35 [[0, 1, 2, 3]] output_shape [1, 1, 1, 32] : memref<32xf32> into memref<1x1x1x32xf32>
    %alloc_97 = memref.alloc() {alignment = 64 : i64} : memref<1x12x12x32xf32>
    linalg.generic {indexing_maps = [#map1, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_91, %expand_shape_94, %expand_shape_95, %expand_shape_93, %expand_shape_96 : memref<1x12x12x32xf32>, memref<1x1x1x32xf32>, memref<1x1x1x32xf32>, memref<1x1x1x32xf32>, memref<1x1x1x32xf32>) outs(%alloc_97 : memref<1x12x12x32xf32>) {
    ^bb0(%in: f32, %in_427: f32, %in_428: f32, %in_429: f32, %in_430: f32, %out: f32):
      %0 = arith.addf %in_427, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_428 : f32
      %3 = arith.mulf %in_429, %2 : f32
      %4 = arith.addf %3, %in_430 : f32
      %5 = arith.mulf %in, %2 : f32
      %6 = arith.addf %5, %4 : f32
      linalg.yield %6 : f32
    }
    %alloc_98 = memref.alloc() {alignment = 64 : i64} : memref<1x12x12x192xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_98 : memref<1x12x12x192xf32>)
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_97, %arg36 : memref<1x12x12x32xf32>, memref<1x1x32x192xf32>) outs(%alloc_98 : memref<1x12x12x192xf32>)
    %alloc_99 = memref.alloc() {alignment = 64 : i64} : memref<192xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg182 : memref<192xf32>) outs(%alloc_99 : memref<192xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_100 = memref.expand_shape %alloc_99 [[0, 1, 2, 3]] output_shape [1, 1, 1, 192] : memref<192xf32> into memref<1x1x1x192xf32>
    %expand_shape_101 = memref.expand_shape %arg183 [[0, 1, 2, 3]] output_shape [1, 1, 1, 192] : memref<192xf32> into memref<1x1x1x192xf32>
    %expand_shape_102 = memref.expand_shape %arg37 [[0, 1, 2, 3]] output_shape [1, 1, 1, 192] : memref<192xf32> into memref<1x1x1x192xf32>
    %expand_shape_103 = memref.expand_shape %arg38 [[0, 1, 2, 3]] output_shape [1, 1, 1, 192] : memref<192xf32> into memref<1x1x1x192xf32>
    %alloc_104 = memref.alloc() {alignment = 64 : i64} : memref<1x12x12x192xf32>
    linalg.generic {indexing_maps = [#map1, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_98, %expand_shape_101, %expand_shape_102, %expand_shape_100, %expand_shape_103 : memref<1x12x12x192xf32>, memref<1x1x1x192xf32>, memref<1x1x1x192xf32>, memref<1x1x1x192xf32>, memref<1x1x1x192xf32>) outs(%alloc_104 : memref<1x12x12x192xf32>) {
    ^bb0(%in: f32, %in_427: f32, %in_428: f32, %in_429: f32, %in_430: f32, %out: f32):
      %0 = arith.addf %in_427, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_428 : f32
      %3 = arith.mulf %in_429, %2 : f32
      %4 = arith.addf %3, %in_430 : f32
      %5 = arith.mulf %in, %2 : f32
      %6 = arith.addf %5, %4 : f32
      %7 = arith.maximumf %6, %cst : f32
      %8 = arith.minimumf %7, %cst_1 : f32
      linalg.yield %8 : f32
    }
    %alloc_105 = memref.alloc() {alignment = 64 : i64} : memref<1x14x14x192xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_105 : memref<1x14x14x192xf32>)
    %subview_106 = memref.subview %alloc_105[0, 1, 1, 0] [1, 12, 12, 192] [1, 1, 1, 1] : memref<1x14x14x192xf32> to memref<1x12x12x192xf32, strided<[37632, 2688, 192, 1], offset: 2880>>
    memref.copy %alloc_104, %subview_106 : memref<1x12x12x192xf32> to memref<1x12x12x192xf32, strided<[37632, 2688, 192, 1], offset: 2880>>
    %alloc_107 = memref.alloc() {alignment = 64 : i64} : memref<1x12x12x192xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_107 : memref<1x12x12x192xf32>)
    %collapse_shape_108 = memref.collapse_shape %arg39 [[0], [1], [2, 3]] : memref<3x3x192x1xf32> into memref<3x3x192xf32>
    linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_105, %collapse_shape_108 : memref<1x14x14x192xf32>, memref<3x3x192xf32>) outs(%alloc_107 : memref<1x12x12x192xf32>)
    %alloc_109 = memref.alloc() {alignment = 64 : i64} : memref<192xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg184 : memref<192xf32>) outs(%alloc_109 : memref<192xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_110 = memref.expand_shape %alloc_109 [[0, 1, 2, 3]] output_shape [1, 1, 1, 192] : memref<192xf32> into memref<1x1x1x192xf32>
    %expand_shape_111 = memref.expand_shape %arg185 [[0, 1, 2, 3]] output_shape [1, 1, 1, 192] : memref<192xf32> into memref<1x1x1x192xf32>
    %expand_shape_112 = memref.expand_shape %arg40 [[0, 1, 2, 3]] output_shape [1, 1, 1, 192] : memref<192xf32> into memref<1x1x1x192xf32>
    %expand_shape_113 = memref.expand_shape %arg41 [[0, 1, 2, 3]] output_shape [1, 1, 1, 192] : memref<192xf32> into memref<1x1x1x192xf32>
    %alloc_114 = memref.alloc() {alignment = 64 : i64} : memref<1x12x12x192xf32>
    linalg.generic {indexing_maps = [#map1, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_107, %expand_shape_111, %expand_shape_112, %expand_shape_110, %expand_shape_113 : memref<1x12x12x192xf32>, memref<1x1x1x192xf32>, memref<1x1x1x192xf32>, memref<1x1x1x192xf32>, memref<1x1x1x192xf32>) outs(%alloc_114 : memref<1x12x12x192xf32>) {
    ^bb0(%in: f32, %in_427: f32, %in_428: f32, %in_429: f32, %in_430: f32, %out: f32):
      %0 = arith.addf %in_427, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_428 : f32
      %3 = arith.mulf %in_429, %2 : f32
      %4 = arith.addf %3, %in_430 : f32
      %5 = arith.mulf %in, %2 : f32
      %6 = arith.addf %5, %4 : f32
      %7 = arith.maximumf %6, %cst : f32
      %8 = arith.minimumf %7, %cst_1 : f32
      linalg.yield %8 : f32
    }
    %alloc_115 = memref.alloc() {alignment = 64 : i64} : memref<1x12x12x32xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_115 : memref<1x12x12x32xf32>)
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_114, %arg42 : memref<1x12x12x192xf32>, memref<1x1x192x32xf32>) outs(%alloc_115 : memref<1x12x12x32xf32>)
    %alloc_116 = memref.alloc() {alignment = 64 : i64} : memref<32xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg186 : memref<32xf32>) outs(%alloc_116 : memref<32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_117 = memref.expand_shape %alloc_116 [[0, 1, 2, 3]] output_shape [1, 1, 1, 32] : memref<32xf32> into memref<1x1x1x32xf32>
    %expand_shape_118 = memref.expand_shape %arg187 [[0, 1, 2, 3]] output_shape [1, 1, 1, 32] : memref<32xf32> into memref<1x1x1x32xf32>
    %expand_shape_119 = memref.expand_shape %arg43 [[0, 1, 2, 3]] output_shape [1, 1, 1, 32] : memref<32xf32> into memref<1x1x1x32xf32>
    %expand_shape_120 = memref.expand_shape %arg44 [[0, 1, 2, 3]] output_shape [1, 1, 1, 32] : memref<32xf32> into memref<1x1x1x32xf32>
    %alloc_121 = memref.alloc() {alignment = 64 : i64} : memref<1x12x12x32xf32>
    linalg.generic {indexing_maps = [#map1, #map1, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_97, %alloc_115, %expand_shape_118, %expand_shape_119, %expand_shape_117, %expand_shape_120 : memref<1x12x12x32xf32>, memref<1x12x12x32xf32>, memref<1x1x1x32xf32>, memref<1x1x1x32xf32>, memref<1x1x1x32xf32>, memref<1x1x1x32xf32>) outs(%alloc_121 : memref<1x12x12x32xf32>) {
    ^bb0(%in: f32, %in_427: f32, %in_428: f32, %in_429: f32, %in_430: f32, %in_431: f32, %out: f32):
      %0 = arith.addf %in_428, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_429 : f32
      %3 = arith.mulf %in_430, %2 : f32
      %4 = arith.addf %3, %in_431 : f32
      %5 = arith.mulf %in_427, %2 : f32
      %6 = arith.addf %5, %4 : f32
      %7 = arith.addf %in, %6 : f32
      linalg.yield %7 : f32
    }
    %alloc_122 = memref.alloc() {alignment = 64 : i64} : memref<1x12x12x192xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_122 : memref<1x12x12x192xf32>)
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_121, %arg45 : memref<1x12x12x32xf32>, memref<1x1x32x192xf32>) outs(%alloc_122 : memref<1x12x12x192xf32>)
    %alloc_123 = memref.alloc() {alignment = 64 : i64} : memref<192xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg188 : memref<192xf32>) outs(%alloc_123 : memref<192xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_124 = memref.expand_shape %alloc_123 [[0, 1, 2, 3]] output_shape [1, 1, 1, 192] : memref<192xf32> into memref<1x1x1x192xf32>
    %expand_shape_125 = memref.expand_shape %arg189 [[0, 1, 2, 3]] output_shape [1, 1, 1, 192] : memref<192xf32> into memref<1x1x1x192xf32>
    %expand_shape_126 = memref.expand_shape %arg46 [[0, 1, 2, 3]] output_shape [1, 1, 1, 192] : memref<192xf32> into memref<1x1x1x192xf32>
    %expand_shape_127 = memref.expand_shape %arg47 [[0, 1, 2, 3]] output_shape [1, 1, 1, 192] : memref<192xf32> into memref<1x1x1x192xf32>
    %alloc_128 = memref.alloc() {alignment = 64 : i64} : memref<1x12x12x192xf32>
    linalg.generic {indexing_maps = [#map1, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_122, %expand_shape_125, %expand_shape_126, %expand_shape_124, %expand_shape_127 : memref<1x12x12x192xf32>, memref<1x1x1x192xf32>, memref<1x1x1x192xf32>, memref<1x1x1x192xf32>, memref<1x1x1x192xf32>) outs(%alloc_128 : memref<1x12x12x192xf32>) {
    ^bb0(%in: f32, %in_427: f32, %in_428: f32, %in_429: f32, %in_430: f32, %out: f32):
      %0 = arith.addf %in_427, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_428 : f32
      %3 = arith.mulf %in_429, %2 : f32
      %4 = arith.addf %3, %in_430 : f32
      %5 = arith.mulf %in, %2 : f32
      %6 = arith.addf %5, %4 : f32
      %7 = arith.maximumf %6, %cst : f32
      %8 = arith.minimumf %7, %cst_1 : f32
      linalg.yield %8 : f32
    }
    %alloc_129 = memref.alloc() {alignment = 64 : i64} : memref<1x14x14x192xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_129 : memref<1x14x14x192xf32>)
    %subview_130 = memref.subview %alloc_129[0, 1, 1, 0] [1, 12, 12, 192] [1, 1, 1, 1] : memref<1x14x14x192xf32> to memref<1x12x12x192xf32, strided<[37632, 2688, 192, 1], offset: 2880>>
    memref.copy %alloc_128, %subview_130 : memref<1x12x12x192xf32> to memref<1x12x12x192xf32, strided<[37632, 2688, 192, 1], offset: 2880>>
    %alloc_131 = memref.alloc() {alignment = 64 : i64} : memref<1x12x12x192xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_131 : memref<1x12x12x192xf32>)
    %collapse_shape_132 = memref.collapse_shape %arg48 [[0], [1], [2, 3]] : memref<3x3x192x1xf32> into memref<3x3x192xf32>
    linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_129, %collapse_shape_132 : memref<1x14x14x192xf32>, memref<3x3x192xf32>) outs(%alloc_131 : memref<1x12x12x192xf32>)
    %alloc_133 = memref.alloc() {alignment = 64 : i64} : memref<192xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg190 : memref<192xf32>) outs(%alloc_133 : memref<192xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_134 = memref.expand_shape %alloc_133 [[0, 1, 2, 3]] output_shape [1, 1, 1, 192] : memref<192xf32> into memref<1x1x1x192xf32>
    %expand_shape_135 = memref.expand_shape %arg191 [[0, 1, 2, 3]] output_shape [1, 1, 1, 192] : memref<192xf32> into memref<1x1x1x192xf32>
    %expand_shape_136 = memref.expand_shape %arg49 [[0, 1, 2, 3]] output_shape [1, 1, 1, 192] : memref<192xf32> into memref<1x1x1x192xf32>
    %expand_shape_137 = memref.expand_shape %arg50 [[0, 1, 2, 3]] output_shape [1, 1, 1, 192] : memref<192xf32> into memref<1x1x1x192xf32>
    %alloc_138 = memref.alloc() {alignment = 64 : i64} : memref<1x12x12x192xf32>
    linalg.generic {indexing_maps = [#map1, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_131, %expand_shape_135, %expand_shape_136, %expand_shape_134, %expand_shape_137 : memref<1x12x12x192xf32>, memref<1x1x1x192xf32>, memref<1x1x1x192xf32>, memref<1x1x1x192xf32>, memref<1x1x1x192xf32>) outs(%alloc_138 : memref<1x12x12x192xf32>) {
    ^bb0(%in: f32, %in_427: f32, %in_428: f32, %in_429: f32, %in_430: f32, %out: f32):
      %0 = arith.addf %in_427, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_428 : f32
      %3 = arith.mulf %in_429, %2 : f32
      %4 = arith.addf %3, %in_430 : f32
      %5 = arith.mulf %in, %2 : f32
      %6 = arith.addf %5, %4 : f32
      %7 = arith.maximumf %6, %cst : f32
      %8 = arith.minimumf %7, %cst_1 : f32
      linalg.yield %8 : f32
    }
    %alloc_139 = memref.alloc() {alignment = 64 : i64} : memref<1x12x12x32xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_139 : memref<1x12x12x32xf32>)
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_138, %arg51 : memref<1x12x12x192xf32>, memref<1x1x192x32xf32>) outs(%alloc_139 : memref<1x12x12x32xf32>)
    %alloc_140 = memref.alloc() {alignment = 64 : i64} : memref<32xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg192 : memref<32xf32>) outs(%alloc_140 : memref<32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_141 = memref.expand_shape %alloc_140 [[0, 1, 2, 3]] output_shape [1, 1, 1, 32] : memref<32xf32> into memref<1x1x1x32xf32>
    %expand_shape_142 = memref.expand_shape %arg193 [[0, 1, 2, 3]] output_shape [1, 1, 1, 32] : memref<32xf32> into memref<1x1x1x32xf32>
    %expand_shape_143 = memref.expand_shape %arg52 [[0, 1, 2, 3]] output_shape [1, 1, 1, 32] : memref<32xf32> into memref<1x1x1x32xf32>
    %expand_shape_144 = memref.expand_shape %arg53 [[0, 1, 2, 3]] output_shape [1, 1, 1, 32] : memref<32xf32> into memref<1x1x1x32xf32>
    %alloc_145 = memref.alloc() {alignment = 64 : i64} : memref<1x12x12x32xf32>
    linalg.generic {indexing_maps = [#map1, #map1, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_121, %alloc_139, %expand_shape_142, %expand_shape_143, %expand_shape_141, %expand_shape_144 : memref<1x12x12x32xf32>, memref<1x12x12x32xf32>, memref<1x1x1x32xf32>, memref<1x1x1x32xf32>, memref<1x1x1x32xf32>, memref<1x1x1x32xf32>) outs(%alloc_145 : memref<1x12x12x32xf32>) {
    ^bb0(%in: f32, %in_427: f32, %in_428: f32, %in_429: f32, %in_430: f32, %in_431: f32, %out: f32):
      %0 = arith.addf %in_428, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_429 : f32
      %3 = arith.mulf %in_430, %2 : f32
      %4 = arith.addf %3, %in_431 : f32
      %5 = arith.mulf %in_427, %2 : f32
      %6 = arith.addf %5, %4 : f32
      %7 = arith.addf %in, %6 : f32
      linalg.yield %7 : f32
    }
    %alloc_146 = memref.alloc() {alignment = 64 : i64} : memref<1x12x12x192xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_146 : memref<1x12x12x192xf32>)
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_145, %arg54 : memref<1x12x12x32xf32>, memref<1x1x32x192xf32>) outs(%alloc_146 : memref<1x12x12x192xf32>)
    %alloc_147 = memref.alloc() {alignment = 64 : i64} : memref<192xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg194 : memref<192xf32>) outs(%alloc_147 : memref<192xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_148 = memref.expand_shape %alloc_147 [[0, 1, 2, 3]] output_shape [1, 1, 1, 192] : memref<192xf32> into memref<1x1x1x192xf32>
    %expand_shape_149 = memref.expand_shape %arg195 [[0, 1, 2, 3]] output_shape [1, 1, 1, 192] : memref<192xf32> into memref<1x1x1x192xf32>
    %expand_shape_150 = memref.expand_shape %arg55 [[0, 1, 2, 3]] output_shape [1, 1, 1, 192] : memref<192xf32> into memref<1x1x1x192xf32>
    %expand_shape_151 = memref.expand_shape %arg56 [[0, 1, 2, 3]] output_shape [1, 1, 1, 192] : memref<192xf32> into memref<1x1x1x192xf32>
    %alloc_152 = memref.alloc() {alignment = 64 : i64} : memref<1x12x12x192xf32>
    linalg.generic {indexing_maps = [#map1, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_146, %expand_shape_149, %expand_shape_150, %expand_shape_148, %expand_shape_151 : memref<1x12x12x192xf32>, memref<1x1x1x192xf32>, memref<1x1x1x192xf32>, memref<1x1x1x192xf32>, memref<1x1x1x192xf32>) outs(%alloc_152 : memref<1x12x12x192xf32>) {
    ^bb0(%in: f32, %in_427: f32, %in_428: f32, %in_429: f32, %in_430: f32, %out: f32):
      %0 = arith.addf %in_427, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_428 : f32
      %3 = arith.mulf %in_429, %2 : f32
      %4 = arith.addf %3, %in_430 : f32
      %5 = arith.mulf %in, %2 : f32
      %6 = arith.addf %5, %4 : f32
      %7 = arith.maximumf %6, %cst : f32
      %8 = arith.minimumf %7, %cst_1 : f32
      linalg.yield %8 : f32
    }
    %alloc_153 = memref.alloc() {alignment = 64 : i64} : memref<1x13x13x192xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_153 : memref<1x13x13x192xf32>)
    %subview_154 = memref.subview %alloc_153[0, 0, 0, 0] [1, 12, 12, 192] [1, 1, 1, 1] : memref<1x13x13x192xf32> to memref<1x12x12x192xf32, strided<[32448, 2496, 192, 1]>>
    memref.copy %alloc_152, %subview_154 : memref<1x12x12x192xf32> to memref<1x12x12x192xf32, strided<[32448, 2496, 192, 1]>>
    %alloc_155 = memref.alloc() {alignment = 64 : i64} : memref<1x6x6x192xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_155 : memref<1x6x6x192xf32>)
    %collapse_shape_156 = memref.collapse_shape %arg57 [[0], [1], [2, 3]] : memref<3x3x192x1xf32> into memref<3x3x192xf32>
    linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%alloc_153, %collapse_shape_156 : memref<1x13x13x192xf32>, memref<3x3x192xf32>) outs(%alloc_155 : memref<1x6x6x192xf32>)
    %alloc_157 = memref.alloc() {alignment = 64 : i64} : memref<192xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg196 : memref<192xf32>) outs(%alloc_157 : memref<192xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_158 = memref.expand_shape %alloc_157 [[0, 1, 2, 3]] output_shape [1, 1, 1, 192] : memref<192xf32> into memref<1x1x1x192xf32>
    %expand_shape_159 = memref.expand_shape %arg197 [[0, 1, 2, 3]] output_shape [1, 1, 1, 192] : memref<192xf32> into memref<1x1x1x192xf32>
    %expand_shape_160 = memref.expand_shape %arg58 [[0, 1, 2, 3]] output_shape [1, 1, 1, 192] : memref<192xf32> into memref<1x1x1x192xf32>
    %expand_shape_161 = memref.expand_shape %arg59 [[0, 1, 2, 3]] output_shape [1, 1, 1, 192] : memref<192xf32> into memref<1x1x1x192xf32>
    %alloc_162 = memref.alloc() {alignment = 64 : i64} : memref<1x6x6x192xf32>
    linalg.generic {indexing_maps = [#map1, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_155, %expand_shape_159, %expand_shape_160, %expand_shape_158, %expand_shape_161 : memref<1x6x6x192xf32>, memref<1x1x1x192xf32>, memref<1x1x1x192xf32>, memref<1x1x1x192xf32>, memref<1x1x1x192xf32>) outs(%alloc_162 : memref<1x6x6x192xf32>) {
    ^bb0(%in: f32, %in_427: f32, %in_428: f32, %in_429: f32, %in_430: f32, %out: f32):
      %0 = arith.addf %in_427, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_428 : f32
      %3 = arith.mulf %in_429, %2 : f32
      %4 = arith.addf %3, %in_430 : f32
      %5 = arith.mulf %in, %2 : f32
      %6 = arith.addf %5, %4 : f32
      %7 = arith.maximumf %6, %cst : f32
      %8 = arith.minimumf %7, %cst_1 : f32
      linalg.yield %8 : f32
    }
    %alloc_163 = memref.alloc() {alignment = 64 : i64} : memref<1x6x6x64xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_163 : memref<1x6x6x64xf32>)
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_162, %arg60 : memref<1x6x6x192xf32>, memref<1x1x192x64xf32>) outs(%alloc_163 : memref<1x6x6x64xf32>)
    %alloc_164 = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg198 : memref<64xf32>) outs(%alloc_164 : memref<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_165 = memref.expand_shape %alloc_164 [[0, 1, 2, 3]] output_shape [1, 1, 1, 64] : memref<64xf32> into memref<1x1x1x64xf32>
    %expand_shape_166 = memref.expand_shape %arg199 [[0, 1, 2, 3]] output_shape [1, 1, 1, 64] : memref<64xf32> into memref<1x1x1x64xf32>
    %expand_shape_167 = memref.expand_shape %arg61 [[0, 1, 2, 3]] output_shape [1, 1, 1, 64] : memref<64xf32> into memref<1x1x1x64xf32>
    %expand_shape_168 = memref.expand_shape %arg62 [[0, 1, 2, 3]] output_shape [1, 1, 1, 64] : memref<64xf32> into memref<1x1x1x64xf32>
    %alloc_169 = memref.alloc() {alignment = 64 : i64} : memref<1x6x6x64xf32>
    linalg.generic {indexing_maps = [#map1, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_163, %expand_shape_166, %expand_shape_167, %expand_shape_165, %expand_shape_168 : memref<1x6x6x64xf32>, memref<1x1x1x64xf32>, memref<1x1x1x64xf32>, memref<1x1x1x64xf32>, memref<1x1x1x64xf32>) outs(%alloc_169 : memref<1x6x6x64xf32>) {
    ^bb0(%in: f32, %in_427: f32, %in_428: f32, %in_429: f32, %in_430: f32, %out: f32):
      %0 = arith.addf %in_427, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_428 : f32
      %3 = arith.mulf %in_429, %2 : f32
      %4 = arith.addf %3, %in_430 : f32
      %5 = arith.mulf %in, %2 : f32
      %6 = arith.addf %5, %4 : f32
      linalg.yield %6 : f32
    }
    %alloc_170 = memref.alloc() {alignment = 64 : i64} : memref<1x6x6x384xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_170 : memref<1x6x6x384xf32>)
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_169, %arg63 : memref<1x6x6x64xf32>, memref<1x1x64x384xf32>) outs(%alloc_170 : memref<1x6x6x384xf32>)
    %alloc_171 = memref.alloc() {alignment = 64 : i64} : memref<384xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg200 : memref<384xf32>) outs(%alloc_171 : memref<384xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_172 = memref.expand_shape %alloc_171 [[0, 1, 2, 3]] output_shape [1, 1, 1, 384] : memref<384xf32> into memref<1x1x1x384xf32>
    %expand_shape_173 = memref.expand_shape %arg201 [[0, 1, 2, 3]] output_shape [1, 1, 1, 384] : memref<384xf32> into memref<1x1x1x384xf32>
    %expand_shape_174 = memref.expand_shape %arg64 [[0, 1, 2, 3]] output_shape [1, 1, 1, 384] : memref<384xf32> into memref<1x1x1x384xf32>
    %expand_shape_175 = memref.expand_shape %arg65 [[0, 1, 2, 3]] output_shape [1, 1, 1, 384] : memref<384xf32> into memref<1x1x1x384xf32>
    %alloc_176 = memref.alloc() {alignment = 64 : i64} : memref<1x6x6x384xf32>
    linalg.generic {indexing_maps = [#map1, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_170, %expand_shape_173, %expand_shape_174, %expand_shape_172, %expand_shape_175 : memref<1x6x6x384xf32>, memref<1x1x1x384xf32>, memref<1x1x1x384xf32>, memref<1x1x1x384xf32>, memref<1x1x1x384xf32>) outs(%alloc_176 : memref<1x6x6x384xf32>) {
    ^bb0(%in: f32, %in_427: f32, %in_428: f32, %in_429: f32, %in_430: f32, %out: f32):
      %0 = arith.addf %in_427, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_428 : f32
      %3 = arith.mulf %in_429, %2 : f32
      %4 = arith.addf %3, %in_430 : f32
      %5 = arith.mulf %in, %2 : f32
      %6 = arith.addf %5, %4 : f32
      %7 = arith.maximumf %6, %cst : f32
      %8 = arith.minimumf %7, %cst_1 : f32
      linalg.yield %8 : f32
    }
    %alloc_177 = memref.alloc() {alignment = 64 : i64} : memref<1x8x8x384xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_177 : memref<1x8x8x384xf32>)
    %subview_178 = memref.subview %alloc_177[0, 1, 1, 0] [1, 6, 6, 384] [1, 1, 1, 1] : memref<1x8x8x384xf32> to memref<1x6x6x384xf32, strided<[24576, 3072, 384, 1], offset: 3456>>
    memref.copy %alloc_176, %subview_178 : memref<1x6x6x384xf32> to memref<1x6x6x384xf32, strided<[24576, 3072, 384, 1], offset: 3456>>
    %alloc_179 = memref.alloc() {alignment = 64 : i64} : memref<1x6x6x384xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_179 : memref<1x6x6x384xf32>)
    %collapse_shape_180 = memref.collapse_shape %arg66 [[0], [1], [2, 3]] : memref<3x3x384x1xf32> into memref<3x3x384xf32>
    linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_177, %collapse_shape_180 : memref<1x8x8x384xf32>, memref<3x3x384xf32>) outs(%alloc_179 : memref<1x6x6x384xf32>)
    %alloc_181 = memref.alloc() {alignment = 64 : i64} : memref<384xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg202 : memref<384xf32>) outs(%alloc_181 : memref<384xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_182 = memref.expand_shape %alloc_181 [[0, 1, 2, 3]] output_shape [1, 1, 1, 384] : memref<384xf32> into memref<1x1x1x384xf32>
    %expand_shape_183 = memref.expand_shape %arg203 [[0, 1, 2, 3]] output_shape [1, 1, 1, 384] : memref<384xf32> into memref<1x1x1x384xf32>
    %expand_shape_184 = memref.expand_shape %arg67 [[0, 1, 2, 3]] output_shape [1, 1, 1, 384] : memref<384xf32> into memref<1x1x1x384xf32>
    %expand_shape_185 = memref.expand_shape %arg68 [[0, 1, 2, 3]] output_shape [1, 1, 1, 384] : memref<384xf32> into memref<1x1x1x384xf32>
    %alloc_186 = memref.alloc() {alignment = 64 : i64} : memref<1x6x6x384xf32>
    linalg.generic {indexing_maps = [#map1, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_179, %expand_shape_183, %expand_shape_184, %expand_shape_182, %expand_shape_185 : memref<1x6x6x384xf32>, memref<1x1x1x384xf32>, memref<1x1x1x384xf32>, memref<1x1x1x384xf32>, memref<1x1x1x384xf32>) outs(%alloc_186 : memref<1x6x6x384xf32>) {
    ^bb0(%in: f32, %in_427: f32, %in_428: f32, %in_429: f32, %in_430: f32, %out: f32):
      %0 = arith.addf %in_427, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_428 : f32
      %3 = arith.mulf %in_429, %2 : f32
      %4 = arith.addf %3, %in_430 : f32
      %5 = arith.mulf %in, %2 : f32
      %6 = arith.addf %5, %4 : f32
      %7 = arith.maximumf %6, %cst : f32
      %8 = arith.minimumf %7, %cst_1 : f32
      linalg.yield %8 : f32
    }
    %alloc_187 = memref.alloc() {alignment = 64 : i64} : memref<1x6x6x64xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_187 : memref<1x6x6x64xf32>)
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_186, %arg69 : memref<1x6x6x384xf32>, memref<1x1x384x64xf32>) outs(%alloc_187 : memref<1x6x6x64xf32>)
    %alloc_188 = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg204 : memref<64xf32>) outs(%alloc_188 : memref<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_189 = memref.expand_shape %alloc_188 [[0, 1, 2, 3]] output_shape [1, 1, 1, 64] : memref<64xf32> into memref<1x1x1x64xf32>
    %expand_shape_190 = memref.expand_shape %arg205 [[0, 1, 2, 3]] output_shape [1, 1, 1, 64] : memref<64xf32> into memref<1x1x1x64xf32>
    %expand_shape_191 = memref.expand_shape %arg70 [[0, 1, 2, 3]] output_shape [1, 1, 1, 64] : memref<64xf32> into memref<1x1x1x64xf32>
    %expand_shape_192 = memref.expand_shape %arg71 [[0, 1, 2, 3]] output_shape [1, 1, 1, 64] : memref<64xf32> into memref<1x1x1x64xf32>
    %alloc_193 = memref.alloc() {alignment = 64 : i64} : memref<1x6x6x64xf32>
    linalg.generic {indexing_maps = [#map1, #map1, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_169, %alloc_187, %expand_shape_190, %expand_shape_191, %expand_shape_189, %expand_shape_192 : memref<1x6x6x64xf32>, memref<1x6x6x64xf32>, memref<1x1x1x64xf32>, memref<1x1x1x64xf32>, memref<1x1x1x64xf32>, memref<1x1x1x64xf32>) outs(%alloc_193 : memref<1x6x6x64xf32>) {
    ^bb0(%in: f32, %in_427: f32, %in_428: f32, %in_429: f32, %in_430: f32, %in_431: f32, %out: f32):
      %0 = arith.addf %in_428, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_429 : f32
      %3 = arith.mulf %in_430, %2 : f32
      %4 = arith.addf %3, %in_431 : f32
      %5 = arith.mulf %in_427, %2 : f32
      %6 = arith.addf %5, %4 : f32
      %7 = arith.addf %in, %6 : f32
      linalg.yield %7 : f32
    }
    %alloc_194 = memref.alloc() {alignment = 64 : i64} : memref<1x6x6x384xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_194 : memref<1x6x6x384xf32>)
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_193, %arg72 : memref<1x6x6x64xf32>, memref<1x1x64x384xf32>) outs(%alloc_194 : memref<1x6x6x384xf32>)
    %alloc_195 = memref.alloc() {alignment = 64 : i64} : memref<384xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg206 : memref<384xf32>) outs(%alloc_195 : memref<384xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_196 = memref.expand_shape %alloc_195 [[0, 1, 2, 3]] output_shape [1, 1, 1, 384] : memref<384xf32> into memref<1x1x1x384xf32>
    %expand_shape_197 = memref.expand_shape %arg207 [[0, 1, 2, 3]] output_shape [1, 1, 1, 384] : memref<384xf32> into memref<1x1x1x384xf32>
    %expand_shape_198 = memref.expand_shape %arg73 [[0, 1, 2, 3]] output_shape [1, 1, 1, 384] : memref<384xf32> into memref<1x1x1x384xf32>
    %expand_shape_199 = memref.expand_shape %arg74 [[0, 1, 2, 3]] output_shape [1, 1, 1, 384] : memref<384xf32> into memref<1x1x1x384xf32>
    %alloc_200 = memref.alloc() {alignment = 64 : i64} : memref<1x6x6x384xf32>
    linalg.generic {indexing_maps = [#map1, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_194, %expand_shape_197, %expand_shape_198, %expand_shape_196, %expand_shape_199 : memref<1x6x6x384xf32>, memref<1x1x1x384xf32>, memref<1x1x1x384xf32>, memref<1x1x1x384xf32>, memref<1x1x1x384xf32>) outs(%alloc_200 : memref<1x6x6x384xf32>) {
    ^bb0(%in: f32, %in_427: f32, %in_428: f32, %in_429: f32, %in_430: f32, %out: f32):
      %0 = arith.addf %in_427, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_428 : f32
      %3 = arith.mulf %in_429, %2 : f32
      %4 = arith.addf %3, %in_430 : f32
      %5 = arith.mulf %in, %2 : f32
      %6 = arith.addf %5, %4 : f32
      %7 = arith.maximumf %6, %cst : f32
      %8 = arith.minimumf %7, %cst_1 : f32
      linalg.yield %8 : f32
    }
    %alloc_201 = memref.alloc() {alignment = 64 : i64} : memref<1x8x8x384xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_201 : memref<1x8x8x384xf32>)
    %subview_202 = memref.subview %alloc_201[0, 1, 1, 0] [1, 6, 6, 384] [1, 1, 1, 1] : memref<1x8x8x384xf32> to memref<1x6x6x384xf32, strided<[24576, 3072, 384, 1], offset: 3456>>
    memref.copy %alloc_200, %subview_202 : memref<1x6x6x384xf32> to memref<1x6x6x384xf32, strided<[24576, 3072, 384, 1], offset: 3456>>
    %alloc_203 = memref.alloc() {alignment = 64 : i64} : memref<1x6x6x384xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_203 : memref<1x6x6x384xf32>)
    %collapse_shape_204 = memref.collapse_shape %arg75 [[0], [1], [2, 3]] : memref<3x3x384x1xf32> into memref<3x3x384xf32>
    linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_201, %collapse_shape_204 : memref<1x8x8x384xf32>, memref<3x3x384xf32>) outs(%alloc_203 : memref<1x6x6x384xf32>)
    %alloc_205 = memref.alloc() {alignment = 64 : i64} : memref<384xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg208 : memref<384xf32>) outs(%alloc_205 : memref<384xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_206 = memref.expand_shape %alloc_205 [[0, 1, 2, 3]] output_shape [1, 1, 1, 384] : memref<384xf32> into memref<1x1x1x384xf32>
    %expand_shape_207 = memref.expand_shape %arg209 [[0, 1, 2, 3]] output_shape [1, 1, 1, 384] : memref<384xf32> into memref<1x1x1x384xf32>
    %expand_shape_208 = memref.expand_shape %arg76 [[0, 1, 2, 3]] output_shape [1, 1, 1, 384] : memref<384xf32> into memref<1x1x1x384xf32>
    %expand_shape_209 = memref.expand_shape %arg77 [[0, 1, 2, 3]] output_shape [1, 1, 1, 384] : memref<384xf32> into memref<1x1x1x384xf32>
    %alloc_210 = memref.alloc() {alignment = 64 : i64} : memref<1x6x6x384xf32>
    linalg.generic {indexing_maps = [#map1, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_203, %expand_shape_207, %expand_shape_208, %expand_shape_206, %expand_shape_209 : memref<1x6x6x384xf32>, memref<1x1x1x384xf32>, memref<1x1x1x384xf32>, memref<1x1x1x384xf32>, memref<1x1x1x384xf32>) outs(%alloc_210 : memref<1x6x6x384xf32>) {
    ^bb0(%in: f32, %in_427: f32, %in_428: f32, %in_429: f32, %in_430: f32, %out: f32):
      %0 = arith.addf %in_427, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_428 : f32
      %3 = arith.mulf %in_429, %2 : f32
      %4 = arith.addf %3, %in_430 : f32
      %5 = arith.mulf %in, %2 : f32
      %6 = arith.addf %5, %4 : f32
      %7 = arith.maximumf %6, %cst : f32
      %8 = arith.minimumf %7, %cst_1 : f32
      linalg.yield %8 : f32
    }
    %alloc_211 = memref.alloc() {alignment = 64 : i64} : memref<1x6x6x64xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_211 : memref<1x6x6x64xf32>)
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_210, %arg78 : memref<1x6x6x384xf32>, memref<1x1x384x64xf32>) outs(%alloc_211 : memref<1x6x6x64xf32>)
    %alloc_212 = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg210 : memref<64xf32>) outs(%alloc_212 : memref<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_213 = memref.expand_shape %alloc_212 [[0, 1, 2, 3]] output_shape [1, 1, 1, 64] : memref<64xf32> into memref<1x1x1x64xf32>
    %expand_shape_214 = memref.expand_shape %arg211 [[0, 1, 2, 3]] output_shape [1, 1, 1, 64] : memref<64xf32> into memref<1x1x1x64xf32>
    %expand_shape_215 = memref.expand_shape %arg79 [[0, 1, 2, 3]] output_shape [1, 1, 1, 64] : memref<64xf32> into memref<1x1x1x64xf32>
    %expand_shape_216 = memref.expand_shape %arg80 [[0, 1, 2, 3]] output_shape [1, 1, 1, 64] : memref<64xf32> into memref<1x1x1x64xf32>
    %alloc_217 = memref.alloc() {alignment = 64 : i64} : memref<1x6x6x64xf32>
    linalg.generic {indexing_maps = [#map1, #map1, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_193, %alloc_211, %expand_shape_214, %expand_shape_215, %expand_shape_213, %expand_shape_216 : memref<1x6x6x64xf32>, memref<1x6x6x64xf32>, memref<1x1x1x64xf32>, memref<1x1x1x64xf32>, memref<1x1x1x64xf32>, memref<1x1x1x64xf32>) outs(%alloc_217 : memref<1x6x6x64xf32>) {
    ^bb0(%in: f32, %in_427: f32, %in_428: f32, %in_429: f32, %in_430: f32, %in_431: f32, %out: f32):
      %0 = arith.addf %in_428, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_429 : f32
      %3 = arith.mulf %in_430, %2 : f32
      %4 = arith.addf %3, %in_431 : f32
      %5 = arith.mulf %in_427, %2 : f32
      %6 = arith.addf %5, %4 : f32
      %7 = arith.addf %in, %6 : f32
      linalg.yield %7 : f32
    }
    %alloc_218 = memref.alloc() {alignment = 64 : i64} : memref<1x6x6x384xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_218 : memref<1x6x6x384xf32>)
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_217, %arg81 : memref<1x6x6x64xf32>, memref<1x1x64x384xf32>) outs(%alloc_218 : memref<1x6x6x384xf32>)
    %alloc_219 = memref.alloc() {alignment = 64 : i64} : memref<384xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg212 : memref<384xf32>) outs(%alloc_219 : memref<384xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_220 = memref.expand_shape %alloc_219 [[0, 1, 2, 3]] output_shape [1, 1, 1, 384] : memref<384xf32> into memref<1x1x1x384xf32>
    %expand_shape_221 = memref.expand_shape %arg213 [[0, 1, 2, 3]] output_shape [1, 1, 1, 384] : memref<384xf32> into memref<1x1x1x384xf32>
    %expand_shape_222 = memref.expand_shape %arg82 [[0, 1, 2, 3]] output_shape [1, 1, 1, 384] : memref<384xf32> into memref<1x1x1x384xf32>
    %expand_shape_223 = memref.expand_shape %arg83 [[0, 1, 2, 3]] output_shape [1, 1, 1, 384] : memref<384xf32> into memref<1x1x1x384xf32>
    %alloc_224 = memref.alloc() {alignment = 64 : i64} : memref<1x6x6x384xf32>
    linalg.generic {indexing_maps = [#map1, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_218, %expand_shape_221, %expand_shape_222, %expand_shape_220, %expand_shape_223 : memref<1x6x6x384xf32>, memref<1x1x1x384xf32>, memref<1x1x1x384xf32>, memref<1x1x1x384xf32>, memref<1x1x1x384xf32>) outs(%alloc_224 : memref<1x6x6x384xf32>) {
    ^bb0(%in: f32, %in_427: f32, %in_428: f32, %in_429: f32, %in_430: f32, %out: f32):
      %0 = arith.addf %in_427, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_428 : f32
      %3 = arith.mulf %in_429, %2 : f32
      %4 = arith.addf %3, %in_430 : f32
      %5 = arith.mulf %in, %2 : f32
      %6 = arith.addf %5, %4 : f32
      %7 = arith.maximumf %6, %cst : f32
      %8 = arith.minimumf %7, %cst_1 : f32
      linalg.yield %8 : f32
    }
    %alloc_225 = memref.alloc() {alignment = 64 : i64} : memref<1x8x8x384xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_225 : memref<1x8x8x384xf32>)
    %subview_226 = memref.subview %alloc_225[0, 1, 1, 0] [1, 6, 6, 384] [1, 1, 1, 1] : memref<1x8x8x384xf32> to memref<1x6x6x384xf32, strided<[24576, 3072, 384, 1], offset: 3456>>
    memref.copy %alloc_224, %subview_226 : memref<1x6x6x384xf32> to memref<1x6x6x384xf32, strided<[24576, 3072, 384, 1], offset: 3456>>
    %alloc_227 = memref.alloc() {alignment = 64 : i64} : memref<1x6x6x384xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_227 : memref<1x6x6x384xf32>)
    %collapse_shape_228 = memref.collapse_shape %arg84 [[0], [1], [2, 3]] : memref<3x3x384x1xf32> into memref<3x3x384xf32>
    linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_225, %collapse_shape_228 : memref<1x8x8x384xf32>, memref<3x3x384xf32>) outs(%alloc_227 : memref<1x6x6x384xf32>)
    %alloc_229 = memref.alloc() {alignment = 64 : i64} : memref<384xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg214 : memref<384xf32>) outs(%alloc_229 : memref<384xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_230 = memref.expand_shape %alloc_229 [[0, 1, 2, 3]] output_shape [1, 1, 1, 384] : memref<384xf32> into memref<1x1x1x384xf32>
    %expand_shape_231 = memref.expand_shape %arg215 [[0, 1, 2, 3]] output_shape [1, 1, 1, 384] : memref<384xf32> into memref<1x1x1x384xf32>
    %expand_shape_232 = memref.expand_shape %arg85 [[0, 1, 2, 3]] output_shape [1, 1, 1, 384] : memref<384xf32> into memref<1x1x1x384xf32>
    %expand_shape_233 = memref.expand_shape %arg86 [[0, 1, 2, 3]] output_shape [1, 1, 1, 384] : memref<384xf32> into memref<1x1x1x384xf32>
    %alloc_234 = memref.alloc() {alignment = 64 : i64} : memref<1x6x6x384xf32>
    linalg.generic {indexing_maps = [#map1, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_227, %expand_shape_231, %expand_shape_232, %expand_shape_230, %expand_shape_233 : memref<1x6x6x384xf32>, memref<1x1x1x384xf32>, memref<1x1x1x384xf32>, memref<1x1x1x384xf32>, memref<1x1x1x384xf32>) outs(%alloc_234 : memref<1x6x6x384xf32>) {
    ^bb0(%in: f32, %in_427: f32, %in_428: f32, %in_429: f32, %in_430: f32, %out: f32):
      %0 = arith.addf %in_427, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_428 : f32
      %3 = arith.mulf %in_429, %2 : f32
      %4 = arith.addf %3, %in_430 : f32
      %5 = arith.mulf %in, %2 : f32
      %6 = arith.addf %5, %4 : f32
      %7 = arith.maximumf %6, %cst : f32
      %8 = arith.minimumf %7, %cst_1 : f32
      linalg.yield %8 : f32
    }
    %alloc_235 = memref.alloc() {alignment = 64 : i64} : memref<1x6x6x64xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_235 : memref<1x6x6x64xf32>)
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_234, %arg87 : memref<1x6x6x384xf32>, memref<1x1x384x64xf32>) outs(%alloc_235 : memref<1x6x6x64xf32>)
    %alloc_236 = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg216 : memref<64xf32>) outs(%alloc_236 : memref<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_237 = memref.expand_shape %alloc_236 [[0, 1, 2, 3]] output_shape [1, 1, 1, 64] : memref<64xf32> into memref<1x1x1x64xf32>
    %expand_shape_238 = memref.expand_shape %arg217 [[0, 1, 2, 3]] output_shape [1, 1, 1, 64] : memref<64xf32> into memref<1x1x1x64xf32>
    %expand_shape_239 = memref.expand_shape %arg88 [[0, 1, 2, 3]] output_shape [1, 1, 1, 64] : memref<64xf32> into memref<1x1x1x64xf32>
    %expand_shape_240 = memref.expand_shape %arg89 [[0, 1, 2, 3]] output_shape [1, 1, 1, 64] : memref<64xf32> into memref<1x1x1x64xf32>
    %alloc_241 = memref.alloc() {alignment = 64 : i64} : memref<1x6x6x64xf32>
    linalg.generic {indexing_maps = [#map1, #map1, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_217, %alloc_235, %expand_shape_238, %expand_shape_239, %expand_shape_237, %expand_shape_240 : memref<1x6x6x64xf32>, memref<1x6x6x64xf32>, memref<1x1x1x64xf32>, memref<1x1x1x64xf32>, memref<1x1x1x64xf32>, memref<1x1x1x64xf32>) outs(%alloc_241 : memref<1x6x6x64xf32>) {
    ^bb0(%in: f32, %in_427: f32, %in_428: f32, %in_429: f32, %in_430: f32, %in_431: f32, %out: f32):
      %0 = arith.addf %in_428, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_429 : f32
      %3 = arith.mulf %in_430, %2 : f32
      %4 = arith.addf %3, %in_431 : f32
      %5 = arith.mulf %in_427, %2 : f32
      %6 = arith.addf %5, %4 : f32
      %7 = arith.addf %in, %6 : f32
      linalg.yield %7 : f32
    }
    %alloc_242 = memref.alloc() {alignment = 64 : i64} : memref<1x6x6x384xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_242 : memref<1x6x6x384xf32>)
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_241, %arg90 : memref<1x6x6x64xf32>, memref<1x1x64x384xf32>) outs(%alloc_242 : memref<1x6x6x384xf32>)
    %alloc_243 = memref.alloc() {alignment = 64 : i64} : memref<384xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg218 : memref<384xf32>) outs(%alloc_243 : memref<384xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_244 = memref.expand_shape %alloc_243 [[0, 1, 2, 3]] output_shape [1, 1, 1, 384] : memref<384xf32> into memref<1x1x1x384xf32>
    %expand_shape_245 = memref.expand_shape %arg219 [[0, 1, 2, 3]] output_shape [1, 1, 1, 384] : memref<384xf32> into memref<1x1x1x384xf32>
    %expand_shape_246 = memref.expand_shape %arg91 [[0, 1, 2, 3]] output_shape [1, 1, 1, 384] : memref<384xf32> into memref<1x1x1x384xf32>
    %expand_shape_247 = memref.expand_shape %arg92 [[0, 1, 2, 3]] output_shape [1, 1, 1, 384] : memref<384xf32> into memref<1x1x1x384xf32>
    %alloc_248 = memref.alloc() {alignment = 64 : i64} : memref<1x6x6x384xf32>
    linalg.generic {indexing_maps = [#map1, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_242, %expand_shape_245, %expand_shape_246, %expand_shape_244, %expand_shape_247 : memref<1x6x6x384xf32>, memref<1x1x1x384xf32>, memref<1x1x1x384xf32>, memref<1x1x1x384xf32>, memref<1x1x1x384xf32>) outs(%alloc_248 : memref<1x6x6x384xf32>) {
    ^bb0(%in: f32, %in_427: f32, %in_428: f32, %in_429: f32, %in_430: f32, %out: f32):
      %0 = arith.addf %in_427, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_428 : f32
      %3 = arith.mulf %in_429, %2 : f32
      %4 = arith.addf %3, %in_430 : f32
      %5 = arith.mulf %in, %2 : f32
      %6 = arith.addf %5, %4 : f32
      %7 = arith.maximumf %6, %cst : f32
      %8 = arith.minimumf %7, %cst_1 : f32
      linalg.yield %8 : f32
    }
    %alloc_249 = memref.alloc() {alignment = 64 : i64} : memref<1x8x8x384xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_249 : memref<1x8x8x384xf32>)
    %subview_250 = memref.subview %alloc_249[0, 1, 1, 0] [1, 6, 6, 384] [1, 1, 1, 1] : memref<1x8x8x384xf32> to memref<1x6x6x384xf32, strided<[24576, 3072, 384, 1], offset: 3456>>
    memref.copy %alloc_248, %subview_250 : memref<1x6x6x384xf32> to memref<1x6x6x384xf32, strided<[24576, 3072, 384, 1], offset: 3456>>
    %alloc_251 = memref.alloc() {alignment = 64 : i64} : memref<1x6x6x384xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_251 : memref<1x6x6x384xf32>)
    %collapse_shape_252 = memref.collapse_shape %arg93 [[0], [1], [2, 3]] : memref<3x3x384x1xf32> into memref<3x3x384xf32>
    linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_249, %collapse_shape_252 : memref<1x8x8x384xf32>, memref<3x3x384xf32>) outs(%alloc_251 : memref<1x6x6x384xf32>)
    %alloc_253 = memref.alloc() {alignment = 64 : i64} : memref<384xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg220 : memref<384xf32>) outs(%alloc_253 : memref<384xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_254 = memref.expand_shape %alloc_253 [[0, 1, 2, 3]] output_shape [1, 1, 1, 384] : memref<384xf32> into memref<1x1x1x384xf32>
    %expand_shape_255 = memref.expand_shape %arg221 [[0, 1, 2, 3]] output_shape [1, 1, 1, 384] : memref<384xf32> into memref<1x1x1x384xf32>
    %expand_shape_256 = memref.expand_shape %arg94 [[0, 1, 2, 3]] output_shape [1, 1, 1, 384] : memref<384xf32> into memref<1x1x1x384xf32>
    %expand_shape_257 = memref.expand_shape %arg95 [[0, 1, 2, 3]] output_shape [1, 1, 1, 384] : memref<384xf32> into memref<1x1x1x384xf32>
    %alloc_258 = memref.alloc() {alignment = 64 : i64} : memref<1x6x6x384xf32>
    linalg.generic {indexing_maps = [#map1, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_251, %expand_shape_255, %expand_shape_256, %expand_shape_254, %expand_shape_257 : memref<1x6x6x384xf32>, memref<1x1x1x384xf32>, memref<1x1x1x384xf32>, memref<1x1x1x384xf32>, memref<1x1x1x384xf32>) outs(%alloc_258 : memref<1x6x6x384xf32>) {
    ^bb0(%in: f32, %in_427: f32, %in_428: f32, %in_429: f32, %in_430: f32, %out: f32):
      %0 = arith.addf %in_427, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_428 : f32
      %3 = arith.mulf %in_429, %2 : f32
      %4 = arith.addf %3, %in_430 : f32
      %5 = arith.mulf %in, %2 : f32
      %6 = arith.addf %5, %4 : f32
      %7 = arith.maximumf %6, %cst : f32
      %8 = arith.minimumf %7, %cst_1 : f32
      linalg.yield %8 : f32
    }
    %alloc_259 = memref.alloc() {alignment = 64 : i64} : memref<1x6x6x96xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_259 : memref<1x6x6x96xf32>)
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_258, %arg96 : memref<1x6x6x384xf32>, memref<1x1x384x96xf32>) outs(%alloc_259 : memref<1x6x6x96xf32>)
    %alloc_260 = memref.alloc() {alignment = 64 : i64} : memref<96xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg222 : memref<96xf32>) outs(%alloc_260 : memref<96xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_261 = memref.expand_shape %alloc_260 [[0, 1, 2, 3]] output_shape [1, 1, 1, 96] : memref<96xf32> into memref<1x1x1x96xf32>
    %expand_shape_262 = memref.expand_shape %arg223 [[0, 1, 2, 3]] output_shape [1, 1, 1, 96] : memref<96xf32> into memref<1x1x1x96xf32>
    %expand_shape_263 = memref.expand_shape %arg97 [[0, 1, 2, 3]] output_shape [1, 1, 1, 96] : memref<96xf32> into memref<1x1x1x96xf32>
    %expand_shape_264 = memref.expand_shape %arg98 [[0, 1, 2, 3]] output_shape [1, 1, 1, 96] : memref<96xf32> into memref<1x1x1x96xf32>
    %alloc_265 = memref.alloc() {alignment = 64 : i64} : memref<1x6x6x96xf32>
    linalg.generic {indexing_maps = [#map1, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_259, %expand_shape_262, %expand_shape_263, %expand_shape_261, %expand_shape_264 : memref<1x6x6x96xf32>, memref<1x1x1x96xf32>, memref<1x1x1x96xf32>, memref<1x1x1x96xf32>, memref<1x1x1x96xf32>) outs(%alloc_265 : memref<1x6x6x96xf32>) {
    ^bb0(%in: f32, %in_427: f32, %in_428: f32, %in_429: f32, %in_430: f32, %out: f32):
      %0 = arith.addf %in_427, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_428 : f32
      %3 = arith.mulf %in_429, %2 : f32
      %4 = arith.addf %3, %in_430 : f32
      %5 = arith.mulf %in, %2 : f32
      %6 = arith.addf %5, %4 : f32
      linalg.yield %6 : f32
    }
    %alloc_266 = memref.alloc() {alignment = 64 : i64} : memref<1x6x6x576xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_266 : memref<1x6x6x576xf32>)
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_265, %arg99 : memref<1x6x6x96xf32>, memref<1x1x96x576xf32>) outs(%alloc_266 : memref<1x6x6x576xf32>)
    %alloc_267 = memref.alloc() {alignment = 64 : i64} : memref<576xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg224 : memref<576xf32>) outs(%alloc_267 : memref<576xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_268 = memref.expand_shape %alloc_267 [[0, 1, 2, 3]] output_shape [1, 1, 1, 576] : memref<576xf32> into memref<1x1x1x576xf32>
    %expand_shape_269 = memref.expand_shape %arg225 [[0, 1, 2, 3]] output_shape [1, 1, 1, 576] : memref<576xf32> into memref<1x1x1x576xf32>
    %expand_shape_270 = memref.expand_shape %arg100 [[0, 1, 2, 3]] output_shape [1, 1, 1, 576] : memref<576xf32> into memref<1x1x1x576xf32>
    %expand_shape_271 = memref.expand_shape %arg101 [[0, 1, 2, 3]] output_shape [1, 1, 1, 576] : memref<576xf32> into memref<1x1x1x576xf32>
    %alloc_272 = memref.alloc() {alignment = 64 : i64} : memref<1x6x6x576xf32>
    linalg.generic {indexing_maps = [#map1, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_266, %expand_shape_269, %expand_shape_270, %expand_shape_268, %expand_shape_271 : memref<1x6x6x576xf32>, memref<1x1x1x576xf32>, memref<1x1x1x576xf32>, memref<1x1x1x576xf32>, memref<1x1x1x576xf32>) outs(%alloc_272 : memref<1x6x6x576xf32>) {
    ^bb0(%in: f32, %in_427: f32, %in_428: f32, %in_429: f32, %in_430: f32, %out: f32):
      %0 = arith.addf %in_427, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_428 : f32
      %3 = arith.mulf %in_429, %2 : f32
      %4 = arith.addf %3, %in_430 : f32
      %5 = arith.mulf %in, %2 : f32
      %6 = arith.addf %5, %4 : f32
      %7 = arith.maximumf %6, %cst : f32
      %8 = arith.minimumf %7, %cst_1 : f32
      linalg.yield %8 : f32
    }
    %alloc_273 = memref.alloc() {alignment = 64 : i64} : memref<1x8x8x576xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_273 : memref<1x8x8x576xf32>)
    %subview_274 = memref.subview %alloc_273[0, 1, 1, 0] [1, 6, 6, 576] [1, 1, 1, 1] : memref<1x8x8x576xf32> to memref<1x6x6x576xf32, strided<[36864, 4608, 576, 1], offset: 5184>>
    memref.copy %alloc_272, %subview_274 : memref<1x6x6x576xf32> to memref<1x6x6x576xf32, strided<[36864, 4608, 576, 1], offset: 5184>>
    %alloc_275 = memref.alloc() {alignment = 64 : i64} : memref<1x6x6x576xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_275 : memref<1x6x6x576xf32>)
    %collapse_shape_276 = memref.collapse_shape %arg102 [[0], [1], [2, 3]] : memref<3x3x576x1xf32> into memref<3x3x576xf32>
    linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_273, %collapse_shape_276 : memref<1x8x8x576xf32>, memref<3x3x576xf32>) outs(%alloc_275 : memref<1x6x6x576xf32>)
    %alloc_277 = memref.alloc() {alignment = 64 : i64} : memref<576xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg226 : memref<576xf32>) outs(%alloc_277 : memref<576xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_278 = memref.expand_shape %alloc_277 [[0, 1, 2, 3]] output_shape [1, 1, 1, 576] : memref<576xf32> into memref<1x1x1x576xf32>
    %expand_shape_279 = memref.expand_shape %arg227 [[0, 1, 2, 3]] output_shape [1, 1, 1, 576] : memref<576xf32> into memref<1x1x1x576xf32>
    %expand_shape_280 = memref.expand_shape %arg103 [[0, 1, 2, 3]] output_shape [1, 1, 1, 576] : memref<576xf32> into memref<1x1x1x576xf32>
    %expand_shape_281 = memref.expand_shape %arg104 [[0, 1, 2, 3]] output_shape [1, 1, 1, 576] : memref<576xf32> into memref<1x1x1x576xf32>
    %alloc_282 = memref.alloc() {alignment = 64 : i64} : memref<1x6x6x576xf32>
    linalg.generic {indexing_maps = [#map1, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_275, %expand_shape_279, %expand_shape_280, %expand_shape_278, %expand_shape_281 : memref<1x6x6x576xf32>, memref<1x1x1x576xf32>, memref<1x1x1x576xf32>, memref<1x1x1x576xf32>, memref<1x1x1x576xf32>) outs(%alloc_282 : memref<1x6x6x576xf32>) {
    ^bb0(%in: f32, %in_427: f32, %in_428: f32, %in_429: f32, %in_430: f32, %out: f32):
      %0 = arith.addf %in_427, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_428 : f32
      %3 = arith.mulf %in_429, %2 : f32
      %4 = arith.addf %3, %in_430 : f32
      %5 = arith.mulf %in, %2 : f32
      %6 = arith.addf %5, %4 : f32
      %7 = arith.maximumf %6, %cst : f32
      %8 = arith.minimumf %7, %cst_1 : f32
      linalg.yield %8 : f32
    }
    %alloc_283 = memref.alloc() {alignment = 64 : i64} : memref<1x6x6x96xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_283 : memref<1x6x6x96xf32>)
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_282, %arg105 : memref<1x6x6x576xf32>, memref<1x1x576x96xf32>) outs(%alloc_283 : memref<1x6x6x96xf32>)
    %alloc_284 = memref.alloc() {alignment = 64 : i64} : memref<96xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg228 : memref<96xf32>) outs(%alloc_284 : memref<96xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_285 = memref.expand_shape %alloc_284 [[0, 1, 2, 3]] output_shape [1, 1, 1, 96] : memref<96xf32> into memref<1x1x1x96xf32>
    %expand_shape_286 = memref.expand_shape %arg229 [[0, 1, 2, 3]] output_shape [1, 1, 1, 96] : memref<96xf32> into memref<1x1x1x96xf32>
    %expand_shape_287 = memref.expand_shape %arg106 [[0, 1, 2, 3]] output_shape [1, 1, 1, 96] : memref<96xf32> into memref<1x1x1x96xf32>
    %expand_shape_288 = memref.expand_shape %arg107 [[0, 1, 2, 3]] output_shape [1, 1, 1, 96] : memref<96xf32> into memref<1x1x1x96xf32>
    %alloc_289 = memref.alloc() {alignment = 64 : i64} : memref<1x6x6x96xf32>
    linalg.generic {indexing_maps = [#map1, #map1, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_265, %alloc_283, %expand_shape_286, %expand_shape_287, %expand_shape_285, %expand_shape_288 : memref<1x6x6x96xf32>, memref<1x6x6x96xf32>, memref<1x1x1x96xf32>, memref<1x1x1x96xf32>, memref<1x1x1x96xf32>, memref<1x1x1x96xf32>) outs(%alloc_289 : memref<1x6x6x96xf32>) {
    ^bb0(%in: f32, %in_427: f32, %in_428: f32, %in_429: f32, %in_430: f32, %in_431: f32, %out: f32):
      %0 = arith.addf %in_428, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_429 : f32
      %3 = arith.mulf %in_430, %2 : f32
      %4 = arith.addf %3, %in_431 : f32
      %5 = arith.mulf %in_427, %2 : f32
      %6 = arith.addf %5, %4 : f32
      %7 = arith.addf %in, %6 : f32
      linalg.yield %7 : f32
    }
    %alloc_290 = memref.alloc() {alignment = 64 : i64} : memref<1x6x6x576xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_290 : memref<1x6x6x576xf32>)
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_289, %arg108 : memref<1x6x6x96xf32>, memref<1x1x96x576xf32>) outs(%alloc_290 : memref<1x6x6x576xf32>)
    %alloc_291 = memref.alloc() {alignment = 64 : i64} : memref<576xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg230 : memref<576xf32>) outs(%alloc_291 : memref<576xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_292 = memref.expand_shape %alloc_291 [[0, 1, 2, 3]] output_shape [1, 1, 1, 576] : memref<576xf32> into memref<1x1x1x576xf32>
    %expand_shape_293 = memref.expand_shape %arg231 [[0, 1, 2, 3]] output_shape [1, 1, 1, 576] : memref<576xf32> into memref<1x1x1x576xf32>
    %expand_shape_294 = memref.expand_shape %arg109 [[0, 1, 2, 3]] output_shape [1, 1, 1, 576] : memref<576xf32> into memref<1x1x1x576xf32>
    %expand_shape_295 = memref.expand_shape %arg110 [[0, 1, 2, 3]] output_shape [1, 1, 1, 576] : memref<576xf32> into memref<1x1x1x576xf32>
    %alloc_296 = memref.alloc() {alignment = 64 : i64} : memref<1x6x6x576xf32>
    linalg.generic {indexing_maps = [#map1, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_290, %expand_shape_293, %expand_shape_294, %expand_shape_292, %expand_shape_295 : memref<1x6x6x576xf32>, memref<1x1x1x576xf32>, memref<1x1x1x576xf32>, memref<1x1x1x576xf32>, memref<1x1x1x576xf32>) outs(%alloc_296 : memref<1x6x6x576xf32>) {
    ^bb0(%in: f32, %in_427: f32, %in_428: f32, %in_429: f32, %in_430: f32, %out: f32):
      %0 = arith.addf %in_427, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_428 : f32
      %3 = arith.mulf %in_429, %2 : f32
      %4 = arith.addf %3, %in_430 : f32
      %5 = arith.mulf %in, %2 : f32
      %6 = arith.addf %5, %4 : f32
      %7 = arith.maximumf %6, %cst : f32
      %8 = arith.minimumf %7, %cst_1 : f32
      linalg.yield %8 : f32
    }
    %alloc_297 = memref.alloc() {alignment = 64 : i64} : memref<1x8x8x576xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_297 : memref<1x8x8x576xf32>)
    %subview_298 = memref.subview %alloc_297[0, 1, 1, 0] [1, 6, 6, 576] [1, 1, 1, 1] : memref<1x8x8x576xf32> to memref<1x6x6x576xf32, strided<[36864, 4608, 576, 1], offset: 5184>>
    memref.copy %alloc_296, %subview_298 : memref<1x6x6x576xf32> to memref<1x6x6x576xf32, strided<[36864, 4608, 576, 1], offset: 5184>>
    %alloc_299 = memref.alloc() {alignment = 64 : i64} : memref<1x6x6x576xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_299 : memref<1x6x6x576xf32>)
    %collapse_shape_300 = memref.collapse_shape %arg111 [[0], [1], [2, 3]] : memref<3x3x576x1xf32> into memref<3x3x576xf32>
    linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_297, %collapse_shape_300 : memref<1x8x8x576xf32>, memref<3x3x576xf32>) outs(%alloc_299 : memref<1x6x6x576xf32>)
    %alloc_301 = memref.alloc() {alignment = 64 : i64} : memref<576xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg232 : memref<576xf32>) outs(%alloc_301 : memref<576xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_302 = memref.expand_shape %alloc_301 [[0, 1, 2, 3]] output_shape [1, 1, 1, 576] : memref<576xf32> into memref<1x1x1x576xf32>
    %expand_shape_303 = memref.expand_shape %arg233 [[0, 1, 2, 3]] output_shape [1, 1, 1, 576] : memref<576xf32> into memref<1x1x1x576xf32>
    %expand_shape_304 = memref.expand_shape %arg112 [[0, 1, 2, 3]] output_shape [1, 1, 1, 576] : memref<576xf32> into memref<1x1x1x576xf32>
    %expand_shape_305 = memref.expand_shape %arg113 [[0, 1, 2, 3]] output_shape [1, 1, 1, 576] : memref<576xf32> into memref<1x1x1x576xf32>
    %alloc_306 = memref.alloc() {alignment = 64 : i64} : memref<1x6x6x576xf32>
    linalg.generic {indexing_maps = [#map1, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_299, %expand_shape_303, %expand_shape_304, %expand_shape_302, %expand_shape_305 : memref<1x6x6x576xf32>, memref<1x1x1x576xf32>, memref<1x1x1x576xf32>, memref<1x1x1x576xf32>, memref<1x1x1x576xf32>) outs(%alloc_306 : memref<1x6x6x576xf32>) {
    ^bb0(%in: f32, %in_427: f32, %in_428: f32, %in_429: f32, %in_430: f32, %out: f32):
      %0 = arith.addf %in_427, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_428 : f32
      %3 = arith.mulf %in_429, %2 : f32
      %4 = arith.addf %3, %in_430 : f32
      %5 = arith.mulf %in, %2 : f32
      %6 = arith.addf %5, %4 : f32
      %7 = arith.maximumf %6, %cst : f32
      %8 = arith.minimumf %7, %cst_1 : f32
      linalg.yield %8 : f32
    }
    %alloc_307 = memref.alloc() {alignment = 64 : i64} : memref<1x6x6x96xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_307 : memref<1x6x6x96xf32>)
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_306, %arg114 : memref<1x6x6x576xf32>, memref<1x1x576x96xf32>) outs(%alloc_307 : memref<1x6x6x96xf32>)
    %alloc_308 = memref.alloc() {alignment = 64 : i64} : memref<96xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg234 : memref<96xf32>) outs(%alloc_308 : memref<96xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_309 = memref.expand_shape %alloc_308 [[0, 1, 2, 3]] output_shape [1, 1, 1, 96] : memref<96xf32> into memref<1x1x1x96xf32>
    %expand_shape_310 = memref.expand_shape %arg235 [[0, 1, 2, 3]] output_shape [1, 1, 1, 96] : memref<96xf32> into memref<1x1x1x96xf32>
    %expand_shape_311 = memref.expand_shape %arg115 [[0, 1, 2, 3]] output_shape [1, 1, 1, 96] : memref<96xf32> into memref<1x1x1x96xf32>
    %expand_shape_312 = memref.expand_shape %arg116 [[0, 1, 2, 3]] output_shape [1, 1, 1, 96] : memref<96xf32> into memref<1x1x1x96xf32>
    %alloc_313 = memref.alloc() {alignment = 64 : i64} : memref<1x6x6x96xf32>
    linalg.generic {indexing_maps = [#map1, #map1, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_289, %alloc_307, %expand_shape_310, %expand_shape_311, %expand_shape_309, %expand_shape_312 : memref<1x6x6x96xf32>, memref<1x6x6x96xf32>, memref<1x1x1x96xf32>, memref<1x1x1x96xf32>, memref<1x1x1x96xf32>, memref<1x1x1x96xf32>) outs(%alloc_313 : memref<1x6x6x96xf32>) {
    ^bb0(%in: f32, %in_427: f32, %in_428: f32, %in_429: f32, %in_430: f32, %in_431: f32, %out: f32):
      %0 = arith.addf %in_428, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_429 : f32
      %3 = arith.mulf %in_430, %2 : f32
      %4 = arith.addf %3, %in_431 : f32
      %5 = arith.mulf %in_427, %2 : f32
      %6 = arith.addf %5, %4 : f32
      %7 = arith.addf %in, %6 : f32
      linalg.yield %7 : f32
    }
    %alloc_314 = memref.alloc() {alignment = 64 : i64} : memref<1x6x6x576xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_314 : memref<1x6x6x576xf32>)
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_313, %arg117 : memref<1x6x6x96xf32>, memref<1x1x96x576xf32>) outs(%alloc_314 : memref<1x6x6x576xf32>)
    %alloc_315 = memref.alloc() {alignment = 64 : i64} : memref<576xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg236 : memref<576xf32>) outs(%alloc_315 : memref<576xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_316 = memref.expand_shape %alloc_315 [[0, 1, 2, 3]] output_shape [1, 1, 1, 576] : memref<576xf32> into memref<1x1x1x576xf32>
    %expand_shape_317 = memref.expand_shape %arg237 [[0, 1, 2, 3]] output_shape [1, 1, 1, 576] : memref<576xf32> into memref<1x1x1x576xf32>
    %expand_shape_318 = memref.expand_shape %arg118 [[0, 1, 2, 3]] output_shape [1, 1, 1, 576] : memref<576xf32> into memref<1x1x1x576xf32>
    %expand_shape_319 = memref.expand_shape %arg119 [[0, 1, 2, 3]] output_shape [1, 1, 1, 576] : memref<576xf32> into memref<1x1x1x576xf32>
    %alloc_320 = memref.alloc() {alignment = 64 : i64} : memref<1x6x6x576xf32>
    linalg.generic {indexing_maps = [#map1, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_314, %expand_shape_317, %expand_shape_318, %expand_shape_316, %expand_shape_319 : memref<1x6x6x576xf32>, memref<1x1x1x576xf32>, memref<1x1x1x576xf32>, memref<1x1x1x576xf32>, memref<1x1x1x576xf32>) outs(%alloc_320 : memref<1x6x6x576xf32>) {
    ^bb0(%in: f32, %in_427: f32, %in_428: f32, %in_429: f32, %in_430: f32, %out: f32):
      %0 = arith.addf %in_427, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_428 : f32
      %3 = arith.mulf %in_429, %2 : f32
      %4 = arith.addf %3, %in_430 : f32
      %5 = arith.mulf %in, %2 : f32
      %6 = arith.addf %5, %4 : f32
      %7 = arith.maximumf %6, %cst : f32
      %8 = arith.minimumf %7, %cst_1 : f32
      linalg.yield %8 : f32
    }
    %alloc_321 = memref.alloc() {alignment = 64 : i64} : memref<1x7x7x576xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_321 : memref<1x7x7x576xf32>)
    %subview_322 = memref.subview %alloc_321[0, 0, 0, 0] [1, 6, 6, 576] [1, 1, 1, 1] : memref<1x7x7x576xf32> to memref<1x6x6x576xf32, strided<[28224, 4032, 576, 1]>>
    memref.copy %alloc_320, %subview_322 : memref<1x6x6x576xf32> to memref<1x6x6x576xf32, strided<[28224, 4032, 576, 1]>>
    %alloc_323 = memref.alloc() {alignment = 64 : i64} : memref<1x3x3x576xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_323 : memref<1x3x3x576xf32>)
    %collapse_shape_324 = memref.collapse_shape %arg120 [[0], [1], [2, 3]] : memref<3x3x576x1xf32> into memref<3x3x576xf32>
    linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%alloc_321, %collapse_shape_324 : memref<1x7x7x576xf32>, memref<3x3x576xf32>) outs(%alloc_323 : memref<1x3x3x576xf32>)
    %alloc_325 = memref.alloc() {alignment = 64 : i64} : memref<576xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg238 : memref<576xf32>) outs(%alloc_325 : memref<576xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_326 = memref.expand_shape %alloc_325 [[0, 1, 2, 3]] output_shape [1, 1, 1, 576] : memref<576xf32> into memref<1x1x1x576xf32>
    %expand_shape_327 = memref.expand_shape %arg239 [[0, 1, 2, 3]] output_shape [1, 1, 1, 576] : memref<576xf32> into memref<1x1x1x576xf32>
    %expand_shape_328 = memref.expand_shape %arg121 [[0, 1, 2, 3]] output_shape [1, 1, 1, 576] : memref<576xf32> into memref<1x1x1x576xf32>
    %expand_shape_329 = memref.expand_shape %arg122 [[0, 1, 2, 3]] output_shape [1, 1, 1, 576] : memref<576xf32> into memref<1x1x1x576xf32>
    %alloc_330 = memref.alloc() {alignment = 64 : i64} : memref<1x3x3x576xf32>
    linalg.generic {indexing_maps = [#map1, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_323, %expand_shape_327, %expand_shape_328, %expand_shape_326, %expand_shape_329 : memref<1x3x3x576xf32>, memref<1x1x1x576xf32>, memref<1x1x1x576xf32>, memref<1x1x1x576xf32>, memref<1x1x1x576xf32>) outs(%alloc_330 : memref<1x3x3x576xf32>) {
    ^bb0(%in: f32, %in_427: f32, %in_428: f32, %in_429: f32, %in_430: f32, %out: f32):
      %0 = arith.addf %in_427, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_428 : f32
      %3 = arith.mulf %in_429, %2 : f32
      %4 = arith.addf %3, %in_430 : f32
      %5 = arith.mulf %in, %2 : f32
      %6 = arith.addf %5, %4 : f32
      %7 = arith.maximumf %6, %cst : f32
      %8 = arith.minimumf %7, %cst_1 : f32
      linalg.yield %8 : f32
    }
    %alloc_331 = memref.alloc() {alignment = 64 : i64} : memref<1x3x3x160xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_331 : memref<1x3x3x160xf32>)
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_330, %arg123 : memref<1x3x3x576xf32>, memref<1x1x576x160xf32>) outs(%alloc_331 : memref<1x3x3x160xf32>)
    %alloc_332 = memref.alloc() {alignment = 64 : i64} : memref<160xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg240 : memref<160xf32>) outs(%alloc_332 : memref<160xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_333 = memref.expand_shape %alloc_332 [[0, 1, 2, 3]] output_shape [1, 1, 1, 160] : memref<160xf32> into memref<1x1x1x160xf32>
    %expand_shape_334 = memref.expand_shape %arg241 [[0, 1, 2, 3]] output_shape [1, 1, 1, 160] : memref<160xf32> into memref<1x1x1x160xf32>
    %expand_shape_335 = memref.expand_shape %arg124 [[0, 1, 2, 3]] output_shape [1, 1, 1, 160] : memref<160xf32> into memref<1x1x1x160xf32>
    %expand_shape_336 = memref.expand_shape %arg125 [[0, 1, 2, 3]] output_shape [1, 1, 1, 160] : memref<160xf32> into memref<1x1x1x160xf32>
    %alloc_337 = memref.alloc() {alignment = 64 : i64} : memref<1x3x3x160xf32>
    linalg.generic {indexing_maps = [#map1, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_331, %expand_shape_334, %expand_shape_335, %expand_shape_333, %expand_shape_336 : memref<1x3x3x160xf32>, memref<1x1x1x160xf32>, memref<1x1x1x160xf32>, memref<1x1x1x160xf32>, memref<1x1x1x160xf32>) outs(%alloc_337 : memref<1x3x3x160xf32>) {
    ^bb0(%in: f32, %in_427: f32, %in_428: f32, %in_429: f32, %in_430: f32, %out: f32):
      %0 = arith.addf %in_427, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_428 : f32
      %3 = arith.mulf %in_429, %2 : f32
      %4 = arith.addf %3, %in_430 : f32
      %5 = arith.mulf %in, %2 : f32
      %6 = arith.addf %5, %4 : f32
      linalg.yield %6 : f32
    }
    %alloc_338 = memref.alloc() {alignment = 64 : i64} : memref<1x3x3x960xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_338 : memref<1x3x3x960xf32>)
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_337, %arg126 : memref<1x3x3x160xf32>, memref<1x1x160x960xf32>) outs(%alloc_338 : memref<1x3x3x960xf32>)
    %alloc_339 = memref.alloc() {alignment = 64 : i64} : memref<960xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg242 : memref<960xf32>) outs(%alloc_339 : memref<960xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_340 = memref.expand_shape %alloc_339 [[0, 1, 2, 3]] output_shape [1, 1, 1, 960] : memref<960xf32> into memref<1x1x1x960xf32>
    %expand_shape_341 = memref.expand_shape %arg243 [[0, 1, 2, 3]] output_shape [1, 1, 1, 960] : memref<960xf32> into memref<1x1x1x960xf32>
    %expand_shape_342 = memref.expand_shape %arg127 [[0, 1, 2, 3]] output_shape [1, 1, 1, 960] : memref<960xf32> into memref<1x1x1x960xf32>
    %expand_shape_343 = memref.expand_shape %arg128 [[0, 1, 2, 3]] output_shape [1, 1, 1, 960] : memref<960xf32> into memref<1x1x1x960xf32>
    %alloc_344 = memref.alloc() {alignment = 64 : i64} : memref<1x3x3x960xf32>
    linalg.generic {indexing_maps = [#map1, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_338, %expand_shape_341, %expand_shape_342, %expand_shape_340, %expand_shape_343 : memref<1x3x3x960xf32>, memref<1x1x1x960xf32>, memref<1x1x1x960xf32>, memref<1x1x1x960xf32>, memref<1x1x1x960xf32>) outs(%alloc_344 : memref<1x3x3x960xf32>) {
    ^bb0(%in: f32, %in_427: f32, %in_428: f32, %in_429: f32, %in_430: f32, %out: f32):
      %0 = arith.addf %in_427, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_428 : f32
      %3 = arith.mulf %in_429, %2 : f32
      %4 = arith.addf %3, %in_430 : f32
      %5 = arith.mulf %in, %2 : f32
      %6 = arith.addf %5, %4 : f32
      %7 = arith.maximumf %6, %cst : f32
      %8 = arith.minimumf %7, %cst_1 : f32
      linalg.yield %8 : f32
    }
    %alloc_345 = memref.alloc() {alignment = 64 : i64} : memref<1x5x5x960xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_345 : memref<1x5x5x960xf32>)
    %subview_346 = memref.subview %alloc_345[0, 1, 1, 0] [1, 3, 3, 960] [1, 1, 1, 1] : memref<1x5x5x960xf32> to memref<1x3x3x960xf32, strided<[24000, 4800, 960, 1], offset: 5760>>
    memref.copy %alloc_344, %subview_346 : memref<1x3x3x960xf32> to memref<1x3x3x960xf32, strided<[24000, 4800, 960, 1], offset: 5760>>
    %alloc_347 = memref.alloc() {alignment = 64 : i64} : memref<1x3x3x960xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_347 : memref<1x3x3x960xf32>)
    %collapse_shape_348 = memref.collapse_shape %arg129 [[0], [1], [2, 3]] : memref<3x3x960x1xf32> into memref<3x3x960xf32>
    linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_345, %collapse_shape_348 : memref<1x5x5x960xf32>, memref<3x3x960xf32>) outs(%alloc_347 : memref<1x3x3x960xf32>)
    %alloc_349 = memref.alloc() {alignment = 64 : i64} : memref<960xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg244 : memref<960xf32>) outs(%alloc_349 : memref<960xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_350 = memref.expand_shape %alloc_349 [[0, 1, 2, 3]] output_shape [1, 1, 1, 960] : memref<960xf32> into memref<1x1x1x960xf32>
    %expand_shape_351 = memref.expand_shape %arg245 [[0, 1, 2, 3]] output_shape [1, 1, 1, 960] : memref<960xf32> into memref<1x1x1x960xf32>
    %expand_shape_352 = memref.expand_shape %arg130 [[0, 1, 2, 3]] output_shape [1, 1, 1, 960] : memref<960xf32> into memref<1x1x1x960xf32>
    %expand_shape_353 = memref.expand_shape %arg131 [[0, 1, 2, 3]] output_shape [1, 1, 1, 960] : memref<960xf32> into memref<1x1x1x960xf32>
    %alloc_354 = memref.alloc() {alignment = 64 : i64} : memref<1x3x3x960xf32>
    linalg.generic {indexing_maps = [#map1, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_347, %expand_shape_351, %expand_shape_352, %expand_shape_350, %expand_shape_353 : memref<1x3x3x960xf32>, memref<1x1x1x960xf32>, memref<1x1x1x960xf32>, memref<1x1x1x960xf32>, memref<1x1x1x960xf32>) outs(%alloc_354 : memref<1x3x3x960xf32>) {
    ^bb0(%in: f32, %in_427: f32, %in_428: f32, %in_429: f32, %in_430: f32, %out: f32):
      %0 = arith.addf %in_427, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_428 : f32
      %3 = arith.mulf %in_429, %2 : f32
      %4 = arith.addf %3, %in_430 : f32
      %5 = arith.mulf %in, %2 : f32
      %6 = arith.addf %5, %4 : f32
      %7 = arith.maximumf %6, %cst : f32
      %8 = arith.minimumf %7, %cst_1 : f32
      linalg.yield %8 : f32
    }
    %alloc_355 = memref.alloc() {alignment = 64 : i64} : memref<1x3x3x160xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_355 : memref<1x3x3x160xf32>)
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_354, %arg132 : memref<1x3x3x960xf32>, memref<1x1x960x160xf32>) outs(%alloc_355 : memref<1x3x3x160xf32>)
    %alloc_356 = memref.alloc() {alignment = 64 : i64} : memref<160xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg246 : memref<160xf32>) outs(%alloc_356 : memref<160xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_357 = memref.expand_shape %alloc_356 [[0, 1, 2, 3]] output_shape [1, 1, 1, 160] : memref<160xf32> into memref<1x1x1x160xf32>
    %expand_shape_358 = memref.expand_shape %arg247 [[0, 1, 2, 3]] output_shape [1, 1, 1, 160] : memref<160xf32> into memref<1x1x1x160xf32>
    %expand_shape_359 = memref.expand_shape %arg133 [[0, 1, 2, 3]] output_shape [1, 1, 1, 160] : memref<160xf32> into memref<1x1x1x160xf32>
    %expand_shape_360 = memref.expand_shape %arg134 [[0, 1, 2, 3]] output_shape [1, 1, 1, 160] : memref<160xf32> into memref<1x1x1x160xf32>
    %alloc_361 = memref.alloc() {alignment = 64 : i64} : memref<1x3x3x160xf32>
    linalg.generic {indexing_maps = [#map1, #map1, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_337, %alloc_355, %expand_shape_358, %expand_shape_359, %expand_shape_357, %expand_shape_360 : memref<1x3x3x160xf32>, memref<1x3x3x160xf32>, memref<1x1x1x160xf32>, memref<1x1x1x160xf32>, memref<1x1x1x160xf32>, memref<1x1x1x160xf32>) outs(%alloc_361 : memref<1x3x3x160xf32>) {
    ^bb0(%in: f32, %in_427: f32, %in_428: f32, %in_429: f32, %in_430: f32, %in_431: f32, %out: f32):
      %0 = arith.addf %in_428, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_429 : f32
      %3 = arith.mulf %in_430, %2 : f32
      %4 = arith.addf %3, %in_431 : f32
      %5 = arith.mulf %in_427, %2 : f32
      %6 = arith.addf %5, %4 : f32
      %7 = arith.addf %in, %6 : f32
      linalg.yield %7 : f32
    }
    %alloc_362 = memref.alloc() {alignment = 64 : i64} : memref<1x3x3x960xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_362 : memref<1x3x3x960xf32>)
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_361, %arg135 : memref<1x3x3x160xf32>, memref<1x1x160x960xf32>) outs(%alloc_362 : memref<1x3x3x960xf32>)
    %alloc_363 = memref.alloc() {alignment = 64 : i64} : memref<960xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg248 : memref<960xf32>) outs(%alloc_363 : memref<960xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_364 = memref.expand_shape %alloc_363 [[0, 1, 2, 3]] output_shape [1, 1, 1, 960] : memref<960xf32> into memref<1x1x1x960xf32>
    %expand_shape_365 = memref.expand_shape %arg249 [[0, 1, 2, 3]] output_shape [1, 1, 1, 960] : memref<960xf32> into memref<1x1x1x960xf32>
    %expand_shape_366 = memref.expand_shape %arg136 [[0, 1, 2, 3]] output_shape [1, 1, 1, 960] : memref<960xf32> into memref<1x1x1x960xf32>
    %expand_shape_367 = memref.expand_shape %arg137 [[0, 1, 2, 3]] output_shape [1, 1, 1, 960] : memref<960xf32> into memref<1x1x1x960xf32>
    %alloc_368 = memref.alloc() {alignment = 64 : i64} : memref<1x3x3x960xf32>
    linalg.generic {indexing_maps = [#map1, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_362, %expand_shape_365, %expand_shape_366, %expand_shape_364, %expand_shape_367 : memref<1x3x3x960xf32>, memref<1x1x1x960xf32>, memref<1x1x1x960xf32>, memref<1x1x1x960xf32>, memref<1x1x1x960xf32>) outs(%alloc_368 : memref<1x3x3x960xf32>) {
    ^bb0(%in: f32, %in_427: f32, %in_428: f32, %in_429: f32, %in_430: f32, %out: f32):
      %0 = arith.addf %in_427, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_428 : f32
      %3 = arith.mulf %in_429, %2 : f32
      %4 = arith.addf %3, %in_430 : f32
      %5 = arith.mulf %in, %2 : f32
      %6 = arith.addf %5, %4 : f32
      %7 = arith.maximumf %6, %cst : f32
      %8 = arith.minimumf %7, %cst_1 : f32
      linalg.yield %8 : f32
    }
    %alloc_369 = memref.alloc() {alignment = 64 : i64} : memref<1x5x5x960xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_369 : memref<1x5x5x960xf32>)
    %subview_370 = memref.subview %alloc_369[0, 1, 1, 0] [1, 3, 3, 960] [1, 1, 1, 1] : memref<1x5x5x960xf32> to memref<1x3x3x960xf32, strided<[24000, 4800, 960, 1], offset: 5760>>
    memref.copy %alloc_368, %subview_370 : memref<1x3x3x960xf32> to memref<1x3x3x960xf32, strided<[24000, 4800, 960, 1], offset: 5760>>
    %alloc_371 = memref.alloc() {alignment = 64 : i64} : memref<1x3x3x960xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_371 : memref<1x3x3x960xf32>)
    %collapse_shape_372 = memref.collapse_shape %arg138 [[0], [1], [2, 3]] : memref<3x3x960x1xf32> into memref<3x3x960xf32>
    linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_369, %collapse_shape_372 : memref<1x5x5x960xf32>, memref<3x3x960xf32>) outs(%alloc_371 : memref<1x3x3x960xf32>)
    %alloc_373 = memref.alloc() {alignment = 64 : i64} : memref<960xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg250 : memref<960xf32>) outs(%alloc_373 : memref<960xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_374 = memref.expand_shape %alloc_373 [[0, 1, 2, 3]] output_shape [1, 1, 1, 960] : memref<960xf32> into memref<1x1x1x960xf32>
    %expand_shape_375 = memref.expand_shape %arg251 [[0, 1, 2, 3]] output_shape [1, 1, 1, 960] : memref<960xf32> into memref<1x1x1x960xf32>
    %expand_shape_376 = memref.expand_shape %arg139 [[0, 1, 2, 3]] output_shape [1, 1, 1, 960] : memref<960xf32> into memref<1x1x1x960xf32>
    %expand_shape_377 = memref.expand_shape %arg140 [[0, 1, 2, 3]] output_shape [1, 1, 1, 960] : memref<960xf32> into memref<1x1x1x960xf32>
    %alloc_378 = memref.alloc() {alignment = 64 : i64} : memref<1x3x3x960xf32>
    linalg.generic {indexing_maps = [#map1, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_371, %expand_shape_375, %expand_shape_376, %expand_shape_374, %expand_shape_377 : memref<1x3x3x960xf32>, memref<1x1x1x960xf32>, memref<1x1x1x960xf32>, memref<1x1x1x960xf32>, memref<1x1x1x960xf32>) outs(%alloc_378 : memref<1x3x3x960xf32>) {
    ^bb0(%in: f32, %in_427: f32, %in_428: f32, %in_429: f32, %in_430: f32, %out: f32):
      %0 = arith.addf %in_427, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_428 : f32
      %3 = arith.mulf %in_429, %2 : f32
      %4 = arith.addf %3, %in_430 : f32
      %5 = arith.mulf %in, %2 : f32
      %6 = arith.addf %5, %4 : f32
      %7 = arith.maximumf %6, %cst : f32
      %8 = arith.minimumf %7, %cst_1 : f32
      linalg.yield %8 : f32
    }
    %alloc_379 = memref.alloc() {alignment = 64 : i64} : memref<1x3x3x160xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_379 : memref<1x3x3x160xf32>)
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_378, %arg141 : memref<1x3x3x960xf32>, memref<1x1x960x160xf32>) outs(%alloc_379 : memref<1x3x3x160xf32>)
    %alloc_380 = memref.alloc() {alignment = 64 : i64} : memref<160xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg252 : memref<160xf32>) outs(%alloc_380 : memref<160xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_381 = memref.expand_shape %alloc_380 [[0, 1, 2, 3]] output_shape [1, 1, 1, 160] : memref<160xf32> into memref<1x1x1x160xf32>
    %expand_shape_382 = memref.expand_shape %arg253 [[0, 1, 2, 3]] output_shape [1, 1, 1, 160] : memref<160xf32> into memref<1x1x1x160xf32>
    %expand_shape_383 = memref.expand_shape %arg142 [[0, 1, 2, 3]] output_shape [1, 1, 1, 160] : memref<160xf32> into memref<1x1x1x160xf32>
    %expand_shape_384 = memref.expand_shape %arg143 [[0, 1, 2, 3]] output_shape [1, 1, 1, 160] : memref<160xf32> into memref<1x1x1x160xf32>
    %alloc_385 = memref.alloc() {alignment = 64 : i64} : memref<1x3x3x160xf32>
    linalg.generic {indexing_maps = [#map1, #map1, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_361, %alloc_379, %expand_shape_382, %expand_shape_383, %expand_shape_381, %expand_shape_384 : memref<1x3x3x160xf32>, memref<1x3x3x160xf32>, memref<1x1x1x160xf32>, memref<1x1x1x160xf32>, memref<1x1x1x160xf32>, memref<1x1x1x160xf32>) outs(%alloc_385 : memref<1x3x3x160xf32>) {
    ^bb0(%in: f32, %in_427: f32, %in_428: f32, %in_429: f32, %in_430: f32, %in_431: f32, %out: f32):
      %0 = arith.addf %in_428, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_429 : f32
      %3 = arith.mulf %in_430, %2 : f32
      %4 = arith.addf %3, %in_431 : f32
      %5 = arith.mulf %in_427, %2 : f32
      %6 = arith.addf %5, %4 : f32
      %7 = arith.addf %in, %6 : f32
      linalg.yield %7 : f32
    }
    %alloc_386 = memref.alloc() {alignment = 64 : i64} : memref<1x3x3x960xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_386 : memref<1x3x3x960xf32>)
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_385, %arg144 : memref<1x3x3x160xf32>, memref<1x1x160x960xf32>) outs(%alloc_386 : memref<1x3x3x960xf32>)
    %alloc_387 = memref.alloc() {alignment = 64 : i64} : memref<960xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg254 : memref<960xf32>) outs(%alloc_387 : memref<960xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_388 = memref.expand_shape %alloc_387 [[0, 1, 2, 3]] output_shape [1, 1, 1, 960] : memref<960xf32> into memref<1x1x1x960xf32>
    %expand_shape_389 = memref.expand_shape %arg255 [[0, 1, 2, 3]] output_shape [1, 1, 1, 960] : memref<960xf32> into memref<1x1x1x960xf32>
    %expand_shape_390 = memref.expand_shape %arg145 [[0, 1, 2, 3]] output_shape [1, 1, 1, 960] : memref<960xf32> into memref<1x1x1x960xf32>
    %expand_shape_391 = memref.expand_shape %arg146 [[0, 1, 2, 3]] output_shape [1, 1, 1, 960] : memref<960xf32> into memref<1x1x1x960xf32>
    %alloc_392 = memref.alloc() {alignment = 64 : i64} : memref<1x3x3x960xf32>
    linalg.generic {indexing_maps = [#map1, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_386, %expand_shape_389, %expand_shape_390, %expand_shape_388, %expand_shape_391 : memref<1x3x3x960xf32>, memref<1x1x1x960xf32>, memref<1x1x1x960xf32>, memref<1x1x1x960xf32>, memref<1x1x1x960xf32>) outs(%alloc_392 : memref<1x3x3x960xf32>) {
    ^bb0(%in: f32, %in_427: f32, %in_428: f32, %in_429: f32, %in_430: f32, %out: f32):
      %0 = arith.addf %in_427, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_428 : f32
      %3 = arith.mulf %in_429, %2 : f32
      %4 = arith.addf %3, %in_430 : f32
      %5 = arith.mulf %in, %2 : f32
      %6 = arith.addf %5, %4 : f32
      %7 = arith.maximumf %6, %cst : f32
      %8 = arith.minimumf %7, %cst_1 : f32
      linalg.yield %8 : f32
    }
    %alloc_393 = memref.alloc() {alignment = 64 : i64} : memref<1x5x5x960xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_393 : memref<1x5x5x960xf32>)
    %subview_394 = memref.subview %alloc_393[0, 1, 1, 0] [1, 3, 3, 960] [1, 1, 1, 1] : memref<1x5x5x960xf32> to memref<1x3x3x960xf32, strided<[24000, 4800, 960, 1], offset: 5760>>
    memref.copy %alloc_392, %subview_394 : memref<1x3x3x960xf32> to memref<1x3x3x960xf32, strided<[24000, 4800, 960, 1], offset: 5760>>
    %alloc_395 = memref.alloc() {alignment = 64 : i64} : memref<1x3x3x960xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_395 : memref<1x3x3x960xf32>)
    %collapse_shape_396 = memref.collapse_shape %arg147 [[0], [1], [2, 3]] : memref<3x3x960x1xf32> into memref<3x3x960xf32>
    linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_393, %collapse_shape_396 : memref<1x5x5x960xf32>, memref<3x3x960xf32>) outs(%alloc_395 : memref<1x3x3x960xf32>)
    %alloc_397 = memref.alloc() {alignment = 64 : i64} : memref<960xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg256 : memref<960xf32>) outs(%alloc_397 : memref<960xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_398 = memref.expand_shape %alloc_397 [[0, 1, 2, 3]] output_shape [1, 1, 1, 960] : memref<960xf32> into memref<1x1x1x960xf32>
    %expand_shape_399 = memref.expand_shape %arg257 [[0, 1, 2, 3]] output_shape [1, 1, 1, 960] : memref<960xf32> into memref<1x1x1x960xf32>
    %expand_shape_400 = memref.expand_shape %arg148 [[0, 1, 2, 3]] output_shape [1, 1, 1, 960] : memref<960xf32> into memref<1x1x1x960xf32>
    %expand_shape_401 = memref.expand_shape %arg149 [[0, 1, 2, 3]] output_shape [1, 1, 1, 960] : memref<960xf32> into memref<1x1x1x960xf32>
    %alloc_402 = memref.alloc() {alignment = 64 : i64} : memref<1x3x3x960xf32>
    linalg.generic {indexing_maps = [#map1, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_395, %expand_shape_399, %expand_shape_400, %expand_shape_398, %expand_shape_401 : memref<1x3x3x960xf32>, memref<1x1x1x960xf32>, memref<1x1x1x960xf32>, memref<1x1x1x960xf32>, memref<1x1x1x960xf32>) outs(%alloc_402 : memref<1x3x3x960xf32>) {
    ^bb0(%in: f32, %in_427: f32, %in_428: f32, %in_429: f32, %in_430: f32, %out: f32):
      %0 = arith.addf %in_427, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_428 : f32
      %3 = arith.mulf %in_429, %2 : f32
      %4 = arith.addf %3, %in_430 : f32
      %5 = arith.mulf %in, %2 : f32
      %6 = arith.addf %5, %4 : f32
      %7 = arith.maximumf %6, %cst : f32
      %8 = arith.minimumf %7, %cst_1 : f32
      linalg.yield %8 : f32
    }
    %alloc_403 = memref.alloc() {alignment = 64 : i64} : memref<1x3x3x320xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_403 : memref<1x3x3x320xf32>)
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_402, %arg150 : memref<1x3x3x960xf32>, memref<1x1x960x320xf32>) outs(%alloc_403 : memref<1x3x3x320xf32>)
    %alloc_404 = memref.alloc() {alignment = 64 : i64} : memref<320xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg258 : memref<320xf32>) outs(%alloc_404 : memref<320xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_405 = memref.expand_shape %alloc_404 [[0, 1, 2, 3]] output_shape [1, 1, 1, 320] : memref<320xf32> into memref<1x1x1x320xf32>
    %expand_shape_406 = memref.expand_shape %arg259 [[0, 1, 2, 3]] output_shape [1, 1, 1, 320] : memref<320xf32> into memref<1x1x1x320xf32>
    %expand_shape_407 = memref.expand_shape %arg151 [[0, 1, 2, 3]] output_shape [1, 1, 1, 320] : memref<320xf32> into memref<1x1x1x320xf32>
    %expand_shape_408 = memref.expand_shape %arg152 [[0, 1, 2, 3]] output_shape [1, 1, 1, 320] : memref<320xf32> into memref<1x1x1x320xf32>
    %alloc_409 = memref.alloc() {alignment = 64 : i64} : memref<1x3x3x320xf32>
    linalg.generic {indexing_maps = [#map1, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_403, %expand_shape_406, %expand_shape_407, %expand_shape_405, %expand_shape_408 : memref<1x3x3x320xf32>, memref<1x1x1x320xf32>, memref<1x1x1x320xf32>, memref<1x1x1x320xf32>, memref<1x1x1x320xf32>) outs(%alloc_409 : memref<1x3x3x320xf32>) {
    ^bb0(%in: f32, %in_427: f32, %in_428: f32, %in_429: f32, %in_430: f32, %out: f32):
      %0 = arith.addf %in_427, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_428 : f32
      %3 = arith.mulf %in_429, %2 : f32
      %4 = arith.addf %3, %in_430 : f32
      %5 = arith.mulf %in, %2 : f32
      %6 = arith.addf %5, %4 : f32
      linalg.yield %6 : f32
    }
    %alloc_410 = memref.alloc() {alignment = 64 : i64} : memref<1x3x3x1280xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_410 : memref<1x3x3x1280xf32>)
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_409, %arg153 : memref<1x3x3x320xf32>, memref<1x1x320x1280xf32>) outs(%alloc_410 : memref<1x3x3x1280xf32>)
    %alloc_411 = memref.alloc() {alignment = 64 : i64} : memref<1280xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg260 : memref<1280xf32>) outs(%alloc_411 : memref<1280xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_412 = memref.expand_shape %alloc_411 [[0, 1, 2, 3]] output_shape [1, 1, 1, 1280] : memref<1280xf32> into memref<1x1x1x1280xf32>
    %expand_shape_413 = memref.expand_shape %arg261 [[0, 1, 2, 3]] output_shape [1, 1, 1, 1280] : memref<1280xf32> into memref<1x1x1x1280xf32>
    %expand_shape_414 = memref.expand_shape %arg154 [[0, 1, 2, 3]] output_shape [1, 1, 1, 1280] : memref<1280xf32> into memref<1x1x1x1280xf32>
    %alloc_415 = memref.alloc() {alignment = 64 : i64} : memref<1x1x1x1280xf32>
    linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expand_shape_413, %expand_shape_414 : memref<1x1x1x1280xf32>, memref<1x1x1x1280xf32>) outs(%alloc_415 : memref<1x1x1x1280xf32>) {
    ^bb0(%in: f32, %in_427: f32, %out: f32):
      %0 = arith.addf %in, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_427 : f32
      linalg.yield %2 : f32
    }
    %expand_shape_416 = memref.expand_shape %arg155 [[0, 1, 2, 3]] output_shape [1, 1, 1, 1280] : memref<1280xf32> into memref<1x1x1x1280xf32>
    %alloc_417 = memref.alloc() {alignment = 64 : i64} : memref<1x1x1x1280xf32>
    linalg.generic {indexing_maps = [#map1, #map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expand_shape_412, %alloc_415, %expand_shape_416 : memref<1x1x1x1280xf32>, memref<1x1x1x1280xf32>, memref<1x1x1x1280xf32>) outs(%alloc_417 : memref<1x1x1x1280xf32>) {
    ^bb0(%in: f32, %in_427: f32, %in_428: f32, %out: f32):
      %0 = arith.mulf %in, %in_427 : f32
      %1 = arith.addf %0, %in_428 : f32
      linalg.yield %1 : f32
    }
    %alloc_418 = memref.alloc() {alignment = 64 : i64} : memref<1x1280xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_418 : memref<1x1280xf32>)
    linalg.generic {indexing_maps = [#map3, #map4, #map4, #map5], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%alloc_410, %alloc_415, %alloc_417 : memref<1x3x3x1280xf32>, memref<1x1x1x1280xf32>, memref<1x1x1x1280xf32>) outs(%alloc_418 : memref<1x1280xf32>) {
    ^bb0(%in: f32, %in_427: f32, %in_428: f32, %out: f32):
      %0 = arith.mulf %in, %in_427 : f32
      %1 = arith.addf %0, %in_428 : f32
      %2 = arith.maximumf %1, %cst : f32
      %3 = arith.minimumf %2, %cst_1 : f32
      %4 = arith.addf %out, %3 : f32
      linalg.yield %4 : f32
    }
    %alloc_419 = memref.alloc() {alignment = 64 : i64} : memref<1x1280xf32>
    linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%alloc_418 : memref<1x1280xf32>) outs(%alloc_419 : memref<1x1280xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.divf %in, %cst_2 : f32
      linalg.yield %0 : f32
    }
    %collapse_shape_420 = memref.collapse_shape %alloc_419 [[0, 1]] : memref<1x1280xf32> into memref<1280xf32>
    %alloc_421 = memref.alloc() {alignment = 64 : i64} : memref<1000xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_421 : memref<1000xf32>)
    linalg.vecmat ins(%collapse_shape_420, %arg156 : memref<1280xf32>, memref<1280x1000xf32>) outs(%alloc_421 : memref<1000xf32>)
    %expand_shape_422 = memref.expand_shape %alloc_421 [[0, 1]] output_shape [1, 1000] : memref<1000xf32> into memref<1x1000xf32>
    %alloc_423 = memref.alloc() {alignment = 64 : i64} : memref<1x1000xf32>
    linalg.generic {indexing_maps = [#map6, #map7, #map6], iterator_types = ["parallel", "parallel"]} ins(%expand_shape_422, %arg157 : memref<1x1000xf32>, memref<1000xf32>) outs(%alloc_423 : memref<1x1000xf32>) {
    ^bb0(%in: f32, %in_427: f32, %out: f32):
      %0 = arith.addf %in, %in_427 : f32
      linalg.yield %0 : f32
    }
    %alloc_424 = memref.alloc() {alignment = 64 : i64} : memref<1xf32>
    linalg.fill ins(%cst_3 : f32) outs(%alloc_424 : memref<1xf32>)
    linalg.generic {indexing_maps = [#map6, #map8], iterator_types = ["parallel", "reduction"]} ins(%alloc_423 : memref<1x1000xf32>) outs(%alloc_424 : memref<1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.maximumf %out, %in : f32
      linalg.yield %0 : f32
    }
    %alloc_425 = memref.alloc() {alignment = 64 : i64} : memref<1x1000xf32>
    linalg.generic {indexing_maps = [#map6, #map8, #map6], iterator_types = ["parallel", "parallel"]} ins(%alloc_423, %alloc_424 : memref<1x1000xf32>, memref<1xf32>) outs(%alloc_425 : memref<1x1000xf32>) {
    ^bb0(%in: f32, %in_427: f32, %out: f32):
      %0 = arith.subf %in, %in_427 : f32
      %1 = math.exp %0 : f32
      linalg.yield %1 : f32
    }
    %alloc_426 = memref.alloc() {alignment = 64 : i64} : memref<1xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_426 : memref<1xf32>)
    linalg.generic {indexing_maps = [#map6, #map8], iterator_types = ["parallel", "reduction"]} ins(%alloc_425 : memref<1x1000xf32>) outs(%alloc_426 : memref<1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.addf %out, %in : f32
      linalg.yield %0 : f32
    }
    linalg.generic {indexing_maps = [#map6, #map8, #map6], iterator_types = ["parallel", "parallel"]} ins(%alloc_425, %alloc_426 : memref<1x1000xf32>, memref<1xf32>) outs(%arg263 : memref<1x1000xf32>) {
    ^bb0(%in: f32, %in_427: f32, %out: f32):
      %0 = arith.divf %in, %in_427 : f32
      linalg.yield %0 : f32
    }
    return
  }
}

