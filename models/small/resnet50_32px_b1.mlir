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
  func.func public @main(%arg0: memref<7x7x3x64xf32>, %arg1: memref<64xf32>, %arg2: memref<64xf32>, %arg3: memref<64xf32>, %arg4: memref<1x1x64x64xf32>, %arg5: memref<64xf32>, %arg6: memref<64xf32>, %arg7: memref<64xf32>, %arg8: memref<3x3x64x64xf32>, %arg9: memref<64xf32>, %arg10: memref<64xf32>, %arg11: memref<64xf32>, %arg12: memref<1x1x64x256xf32>, %arg13: memref<256xf32>, %arg14: memref<1x1x64x256xf32>, %arg15: memref<256xf32>, %arg16: memref<256xf32>, %arg17: memref<256xf32>, %arg18: memref<256xf32>, %arg19: memref<256xf32>, %arg20: memref<1x1x256x64xf32>, %arg21: memref<64xf32>, %arg22: memref<64xf32>, %arg23: memref<64xf32>, %arg24: memref<3x3x64x64xf32>, %arg25: memref<64xf32>, %arg26: memref<64xf32>, %arg27: memref<64xf32>, %arg28: memref<1x1x64x256xf32>, %arg29: memref<256xf32>, %arg30: memref<256xf32>, %arg31: memref<256xf32>, %arg32: memref<1x1x256x64xf32>, %arg33: memref<64xf32>, %arg34: memref<64xf32>, %arg35: memref<64xf32>, %arg36: memref<3x3x64x64xf32>, %arg37: memref<64xf32>, %arg38: memref<64xf32>, %arg39: memref<64xf32>, %arg40: memref<1x1x64x256xf32>, %arg41: memref<256xf32>, %arg42: memref<256xf32>, %arg43: memref<256xf32>, %arg44: memref<1x1x256x128xf32>, %arg45: memref<128xf32>, %arg46: memref<128xf32>, %arg47: memref<128xf32>, %arg48: memref<3x3x128x128xf32>, %arg49: memref<128xf32>, %arg50: memref<128xf32>, %arg51: memref<128xf32>, %arg52: memref<1x1x256x512xf32>, %arg53: memref<512xf32>, %arg54: memref<1x1x128x512xf32>, %arg55: memref<512xf32>, %arg56: memref<512xf32>, %arg57: memref<512xf32>, %arg58: memref<512xf32>, %arg59: memref<512xf32>, %arg60: memref<1x1x512x128xf32>, %arg61: memref<128xf32>, %arg62: memref<128xf32>, %arg63: memref<128xf32>, %arg64: memref<3x3x128x128xf32>, %arg65: memref<128xf32>, %arg66: memref<128xf32>, %arg67: memref<128xf32>, %arg68: memref<1x1x128x512xf32>, %arg69: memref<512xf32>, %arg70: memref<512xf32>, %arg71: memref<512xf32>, %arg72: memref<1x1x512x128xf32>, %arg73: memref<128xf32>, %arg74: memref<128xf32>, %arg75: memref<128xf32>, %arg76: memref<3x3x128x128xf32>, %arg77: memref<128xf32>, %arg78: memref<128xf32>, %arg79: memref<128xf32>, %arg80: memref<1x1x128x512xf32>, %arg81: memref<512xf32>, %arg82: memref<512xf32>, %arg83: memref<512xf32>, %arg84: memref<1x1x512x128xf32>, %arg85: memref<128xf32>, %arg86: memref<128xf32>, %arg87: memref<128xf32>, %arg88: memref<3x3x128x128xf32>, %arg89: memref<128xf32>, %arg90: memref<128xf32>, %arg91: memref<128xf32>, %arg92: memref<1x1x128x512xf32>, %arg93: memref<512xf32>, %arg94: memref<512xf32>, %arg95: memref<512xf32>, %arg96: memref<1x1x512x256xf32>, %arg97: memref<256xf32>, %arg98: memref<256xf32>, %arg99: memref<256xf32>, %arg100: memref<3x3x256x256xf32>, %arg101: memref<256xf32>, %arg102: memref<256xf32>, %arg103: memref<256xf32>, %arg104: memref<1x1x512x1024xf32>, %arg105: memref<1024xf32>, %arg106: memref<1x1x256x1024xf32>, %arg107: memref<1024xf32>, %arg108: memref<1024xf32>, %arg109: memref<1024xf32>, %arg110: memref<1024xf32>, %arg111: memref<1024xf32>, %arg112: memref<1x1x1024x256xf32>, %arg113: memref<256xf32>, %arg114: memref<256xf32>, %arg115: memref<256xf32>, %arg116: memref<3x3x256x256xf32>, %arg117: memref<256xf32>, %arg118: memref<256xf32>, %arg119: memref<256xf32>, %arg120: memref<1x1x256x1024xf32>, %arg121: memref<1024xf32>, %arg122: memref<1024xf32>, %arg123: memref<1024xf32>, %arg124: memref<1x1x1024x256xf32>, %arg125: memref<256xf32>, %arg126: memref<256xf32>, %arg127: memref<256xf32>, %arg128: memref<3x3x256x256xf32>, %arg129: memref<256xf32>, %arg130: memref<256xf32>, %arg131: memref<256xf32>, %arg132: memref<1x1x256x1024xf32>, %arg133: memref<1024xf32>, %arg134: memref<1024xf32>, %arg135: memref<1024xf32>, %arg136: memref<1x1x1024x256xf32>, %arg137: memref<256xf32>, %arg138: memref<256xf32>, %arg139: memref<256xf32>, %arg140: memref<3x3x256x256xf32>, %arg141: memref<256xf32>, %arg142: memref<256xf32>, %arg143: memref<256xf32>, %arg144: memref<1x1x256x1024xf32>, %arg145: memref<1024xf32>, %arg146: memref<1024xf32>, %arg147: memref<1024xf32>, %arg148: memref<1x1x1024x256xf32>, %arg149: memref<256xf32>, %arg150: memref<256xf32>, %arg151: memref<256xf32>, %arg152: memref<3x3x256x256xf32>, %arg153: memref<256xf32>, %arg154: memref<256xf32>, %arg155: memref<256xf32>, %arg156: memref<1x1x256x1024xf32>, %arg157: memref<1024xf32>, %arg158: memref<1024xf32>, %arg159: memref<1024xf32>, %arg160: memref<1x1x1024x256xf32>, %arg161: memref<256xf32>, %arg162: memref<256xf32>, %arg163: memref<256xf32>, %arg164: memref<3x3x256x256xf32>, %arg165: memref<256xf32>, %arg166: memref<256xf32>, %arg167: memref<256xf32>, %arg168: memref<1x1x256x1024xf32>, %arg169: memref<1024xf32>, %arg170: memref<1024xf32>, %arg171: memref<1024xf32>, %arg172: memref<1x1x1024x512xf32>, %arg173: memref<512xf32>, %arg174: memref<512xf32>, %arg175: memref<512xf32>, %arg176: memref<3x3x512x512xf32>, %arg177: memref<512xf32>, %arg178: memref<512xf32>, %arg179: memref<512xf32>, %arg180: memref<1x1x1024x2048xf32>, %arg181: memref<2048xf32>, %arg182: memref<1x1x512x2048xf32>, %arg183: memref<2048xf32>, %arg184: memref<2048xf32>, %arg185: memref<2048xf32>, %arg186: memref<2048xf32>, %arg187: memref<2048xf32>, %arg188: memref<1x1x2048x512xf32>, %arg189: memref<512xf32>, %arg190: memref<512xf32>, %arg191: memref<512xf32>, %arg192: memref<3x3x512x512xf32>, %arg193: memref<512xf32>, %arg194: memref<512xf32>, %arg195: memref<512xf32>, %arg196: memref<1x1x512x2048xf32>, %arg197: memref<2048xf32>, %arg198: memref<2048xf32>, %arg199: memref<2048xf32>, %arg200: memref<1x1x2048x512xf32>, %arg201: memref<512xf32>, %arg202: memref<512xf32>, %arg203: memref<512xf32>, %arg204: memref<3x3x512x512xf32>, %arg205: memref<512xf32>, %arg206: memref<512xf32>, %arg207: memref<512xf32>, %arg208: memref<1x1x512x2048xf32>, %arg209: memref<2048xf32>, %arg210: memref<2048xf32>, %arg211: memref<2048xf32>, %arg212: memref<2048x1000xf32>, %arg213: memref<1000xf32>, %arg214: memref<64xf32>, %arg215: memref<64xf32>, %arg216: memref<64xf32>, %arg217: memref<64xf32>, %arg218: memref<64xf32>, %arg219: memref<64xf32>, %arg220: memref<256xf32>, %arg221: memref<256xf32>, %arg222: memref<256xf32>, %arg223: memref<256xf32>, %arg224: memref<64xf32>, %arg225: memref<64xf32>, %arg226: memref<64xf32>, %arg227: memref<64xf32>, %arg228: memref<256xf32>, %arg229: memref<256xf32>, %arg230: memref<64xf32>, %arg231: memref<64xf32>, %arg232: memref<64xf32>, %arg233: memref<64xf32>, %arg234: memref<256xf32>, %arg235: memref<256xf32>, %arg236: memref<128xf32>, %arg237: memref<128xf32>, %arg238: memref<128xf32>, %arg239: memref<128xf32>, %arg240: memref<512xf32>, %arg241: memref<512xf32>, %arg242: memref<512xf32>, %arg243: memref<512xf32>, %arg244: memref<128xf32>, %arg245: memref<128xf32>, %arg246: memref<128xf32>, %arg247: memref<128xf32>, %arg248: memref<512xf32>, %arg249: memref<512xf32>, %arg250: memref<128xf32>, %arg251: memref<128xf32>, %arg252: memref<128xf32>, %arg253: memref<128xf32>, %arg254: memref<512xf32>, %arg255: memref<512xf32>, %arg256: memref<128xf32>, %arg257: memref<128xf32>, %arg258: memref<128xf32>, %arg259: memref<128xf32>, %arg260: memref<512xf32>, %arg261: memref<512xf32>, %arg262: memref<256xf32>, %arg263: memref<256xf32>, %arg264: memref<256xf32>, %arg265: memref<256xf32>, %arg266: memref<1024xf32>, %arg267: memref<1024xf32>, %arg268: memref<1024xf32>, %arg269: memref<1024xf32>, %arg270: memref<256xf32>, %arg271: memref<256xf32>, %arg272: memref<256xf32>, %arg273: memref<256xf32>, %arg274: memref<1024xf32>, %arg275: memref<1024xf32>, %arg276: memref<256xf32>, %arg277: memref<256xf32>, %arg278: memref<256xf32>, %arg279: memref<256xf32>, %arg280: memref<1024xf32>, %arg281: memref<1024xf32>, %arg282: memref<256xf32>, %arg283: memref<256xf32>, %arg284: memref<256xf32>, %arg285: memref<256xf32>, %arg286: memref<1024xf32>, %arg287: memref<1024xf32>, %arg288: memref<256xf32>, %arg289: memref<256xf32>, %arg290: memref<256xf32>, %arg291: memref<256xf32>, %arg292: memref<1024xf32>, %arg293: memref<1024xf32>, %arg294: memref<256xf32>, %arg295: memref<256xf32>, %arg296: memref<256xf32>, %arg297: memref<256xf32>, %arg298: memref<1024xf32>, %arg299: memref<1024xf32>, %arg300: memref<512xf32>, %arg301: memref<512xf32>, %arg302: memref<512xf32>, %arg303: memref<512xf32>, %arg304: memref<2048xf32>, %arg305: memref<2048xf32>, %arg306: memref<2048xf32>, %arg307: memref<2048xf32>, %arg308: memref<512xf32>, %arg309: memref<512xf32>, %arg310: memref<512xf32>, %arg311: memref<512xf32>, %arg312: memref<2048xf32>, %arg313: memref<2048xf32>, %arg314: memref<512xf32>, %arg315: memref<512xf32>, %arg316: memref<512xf32>, %arg317: memref<512xf32>, %arg318: memref<2048xf32>, %arg319: memref<2048xf32>, %arg320: memref<1x32x32x3xf32>, %arg321: memref<1x1000xf32> {bufferize.result}) {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 1.001000e-05 : f32
    %cst_1 = arith.constant 0xFF800000 : f32
    %alloc = memref.alloc() {alignment = 64 : i64} : memref<1x38x38x3xf32>
    linalg.fill ins(%cst : f32) outs(%alloc : memref<1x38x38x3xf32>)
    %subview = memref.subview %alloc[0, 3, 3, 0] [1, 32, 32, 3] [1, 1, 1, 1] : memref<1x38x38x3xf32> to memref<1x32x32x3xf32, strided<[4332, 114, 3, 1], offset: 351>>
    memref.copy %arg320, %subview : memref<1x32x32x3xf32> to memref<1x32x32x3xf32, strided<[4332, 114, 3, 1], offset: 351>>
    %alloc_2 = memref.alloc() {alignment = 64 : i64} : memref<1x16x16x64xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_2 : memref<1x16x16x64xf32>)
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%alloc, %arg0 : memref<1x38x38x3xf32>, memref<7x7x3x64xf32>) outs(%alloc_2 : memref<1x16x16x64xf32>)
    %expand_shape = memref.expand_shape %arg1 [[0, 1, 2, 3]] output_shape [1, 1, 1, 64] : memref<64xf32> into memref<1x1x1x64xf32>
    %alloc_3 = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg214 : memref<64xf32>) outs(%alloc_3 : memref<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_4 = memref.expand_shape %alloc_3 [[0, 1, 2, 3]] output_shape [1, 1, 1, 64] : memref<64xf32> into memref<1x1x1x64xf32>
    %expand_shape_5 = memref.expand_shape %arg215 [[0, 1, 2, 3]] output_shape [1, 1, 1, 64] : memref<64xf32> into memref<1x1x1x64xf32>
    %expand_shape_6 = memref.expand_shape %arg2 [[0, 1, 2, 3]] output_shape [1, 1, 1, 64] : memref<64xf32> into memref<1x1x1x64xf32>
    %expand_shape_7 = memref.expand_shape %arg3 [[0, 1, 2, 3]] output_shape [1, 1, 1, 64] : memref<64xf32> into memref<1x1x1x64xf32>
    %alloc_8 = memref.alloc() {alignment = 64 : i64} : memref<1x16x16x64xf32>
    linalg.generic {indexing_maps = [#map1, #map2, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_2, %expand_shape, %expand_shape_5, %expand_shape_6, %expand_shape_4, %expand_shape_7 : memref<1x16x16x64xf32>, memref<1x1x1x64xf32>, memref<1x1x1x64xf32>, memref<1x1x1x64xf32>, memref<1x1x1x64xf32>, memref<1x1x1x64xf32>) outs(%alloc_8 : memref<1x16x16x64xf32>) {
    ^bb0(%in: f32, %in_466: f32, %in_467: f32, %in_468: f32, %in_469: f32, %in_470: f32, %out: f32):
      %0 = arith.addf %in_467, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_468 : f32
      %3 = arith.mulf %in_469, %2 : f32
      %4 = arith.addf %3, %in_470 : f32
      %5 = arith.addf %in, %in_466 : f32
      %6 = arith.mulf %5, %2 : f32
      %7 = arith.addf %6, %4 : f32
      %8 = arith.maximumf %7, %cst : f32
      linalg.yield %8 : f32
    }
    %alloc_9 = memref.alloc() {alignment = 64 : i64} : memref<1x18x18x64xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_9 : memref<1x18x18x64xf32>)
    %subview_10 = memref.subview %alloc_9[0, 1, 1, 0] [1, 16, 16, 64] [1, 1, 1, 1] : memref<1x18x18x64xf32> to memref<1x16x16x64xf32, strided<[20736, 1152, 64, 1], offset: 1216>>
    memref.copy %alloc_8, %subview_10 : memref<1x16x16x64xf32> to memref<1x16x16x64xf32, strided<[20736, 1152, 64, 1], offset: 1216>>
    %alloc_11 = memref.alloc() {alignment = 64 : i64} : memref<3x3xf32>
    %alloc_12 = memref.alloc() {alignment = 64 : i64} : memref<1x8x8x64xf32>
    linalg.fill ins(%cst_1 : f32) outs(%alloc_12 : memref<1x8x8x64xf32>)
    linalg.pooling_nhwc_max {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%alloc_9, %alloc_11 : memref<1x18x18x64xf32>, memref<3x3xf32>) outs(%alloc_12 : memref<1x8x8x64xf32>)
    %alloc_13 = memref.alloc() {alignment = 64 : i64} : memref<1x8x8x64xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_13 : memref<1x8x8x64xf32>)
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_12, %arg4 : memref<1x8x8x64xf32>, memref<1x1x64x64xf32>) outs(%alloc_13 : memref<1x8x8x64xf32>)
    %expand_shape_14 = memref.expand_shape %arg5 [[0, 1, 2, 3]] output_shape [1, 1, 1, 64] : memref<64xf32> into memref<1x1x1x64xf32>
    %alloc_15 = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg216 : memref<64xf32>) outs(%alloc_15 : memref<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_16 = memref.expand_shape %alloc_15 [[0, 1, 2, 3]] output_shape [1, 1, 1, 64] : memref<64xf32> into memref<1x1x1x64xf32>
    %expand_shape_17 = memref.expand_shape %arg217 [[0, 1, 2, 3]] output_shape [1, 1, 1, 64] : memref<64xf32> into memref<1x1x1x64xf32>
    %expand_shape_18 = memref.expand_shape %arg6 [[0, 1, 2, 3]] output_shape [1, 1, 1, 64] : memref<64xf32> into memref<1x1x1x64xf32>
    %expand_shape_19 = memref.expand_shape %arg7 [[0, 1, 2, 3]] output_shape [1, 1, 1, 64] : memref<64xf32> into memref<1x1x1x64xf32>
    %alloc_20 = memref.alloc() {alignment = 64 : i64} : memref<1x8x8x64xf32>
    linalg.generic {indexing_maps = [#map1, #map2, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_13, %expand_shape_14, %expand_shape_17, %expand_shape_18, %expand_shape_16, %expand_shape_19 : memref<1x8x8x64xf32>, memref<1x1x1x64xf32>, memref<1x1x1x64xf32>, memref<1x1x1x64xf32>, memref<1x1x1x64xf32>, memref<1x1x1x64xf32>) outs(%alloc_20 : memref<1x8x8x64xf32>) {
    ^bb0(%in: f32, %in_466: f32, %in_467: f32, %in_468: f32, %in_469: f32, %in_470: f32, %out: f32):
      %0 = arith.addf %in_467, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_468 : f32
      %3 = arith.mulf %in_469, %2 : f32
      %4 = arith.addf %3, %in_470 : f32
      %5 = arith.addf %in, %in_466 : f32
      %6 = arith.mulf %5, %2 : f32
      %7 = arith.addf %6, %4 : f32
      %8 = arith.maximumf %7, %cst : f32
      linalg.yield %8 : f32
    }
    %alloc_21 = memref.alloc() {alignment = 64 : i64} : memref<1x8x8x64xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_21 : memref<1x8x8x64xf32>)
    %alloc_22 = memref.alloc() {alignment = 64 : i64} : memref<1x10x10x64xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_22 : memref<1x10x10x64xf32>)
    %subview_23 = memref.subview %alloc_22[0, 1, 1, 0] [1, 8, 8, 64] [1, 1, 1, 1] : memref<1x10x10x64xf32> to memref<1x8x8x64xf32, strided<[6400, 640, 64, 1], offset: 704>>
    memref.copy %alloc_20, %subview_23 : memref<1x8x8x64xf32> to memref<1x8x8x64xf32, strided<[6400, 640, 64, 1], offset: 704>>
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_22, %arg8 : memref<1x10x10x64xf32>, memref<3x3x64x64xf32>) outs(%alloc_21 : memref<1x8x8x64xf32>)
    %expand_shape_24 = memref.expand_shape %arg9 [[0, 1, 2, 3]] output_shape [1, 1, 1, 64] : memref<64xf32> into memref<1x1x1x64xf32>
    %alloc_25 = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg218 : memref<64xf32>) outs(%alloc_25 : memref<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_26 = memref.expand_shape %alloc_25 [[0, 1, 2, 3]] output_shape [1, 1, 1, 64] : memref<64xf32> into memref<1x1x1x64xf32>
    %expand_shape_27 = memref.expand_shape %arg219 [[0, 1, 2, 3]] output_shape [1, 1, 1, 64] : memref<64xf32> into memref<1x1x1x64xf32>
    %expand_shape_28 = memref.expand_shape %arg10 [[0, 1, 2, 3]] output_shape [1, 1, 1, 64] : memref<64xf32> into memref<1x1x1x64xf32>
    %expand_shape_29 = memref.expand_shape %arg11 [[0, 1, 2, 3]] output_shape [1, 1, 1, 64] : memref<64xf32> into memref<1x1x1x64xf32>
    %alloc_30 = memref.alloc() {alignment = 64 : i64} : memref<1x8x8x64xf32>
    linalg.generic {indexing_maps = [#map1, #map2, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_21, %expand_shape_24, %expand_shape_27, %expand_shape_28, %expand_shape_26, %expand_shape_29 : memref<1x8x8x64xf32>, memref<1x1x1x64xf32>, memref<1x1x1x64xf32>, memref<1x1x1x64xf32>, memref<1x1x1x64xf32>, memref<1x1x1x64xf32>) outs(%alloc_30 : memref<1x8x8x64xf32>) {
    ^bb0(%in: f32, %in_466: f32, %in_467: f32, %in_468: f32, %in_469: f32, %in_470: f32, %out: f32):
      %0 = arith.addf %in_467, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_468 : f32
      %3 = arith.mulf %in_469, %2 : f32
      %4 = arith.addf %3, %in_470 : f32
      %5 = arith.addf %in, %in_466 : f32
      %6 = arith.mulf %5, %2 : f32
      %7 = arith.addf %6, %4 : f32
      %8 = arith.maximumf %7, %cst : f32
      linalg.yield %8 : f32
    }
    %alloc_31 = memref.alloc() {alignment = 64 : i64} : memref<1x8x8x256xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_31 : memref<1x8x8x256xf32>)
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_30, %arg14 : memref<1x8x8x64xf32>, memref<1x1x64x256xf32>) outs(%alloc_31 : memref<1x8x8x256xf32>)
    %expand_shape_32 = memref.expand_shape %arg15 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : memref<256xf32> into memref<1x1x1x256xf32>
    %alloc_33 = memref.alloc() {alignment = 64 : i64} : memref<1x8x8x256xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_33 : memref<1x8x8x256xf32>)
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_12, %arg12 : memref<1x8x8x64xf32>, memref<1x1x64x256xf32>) outs(%alloc_33 : memref<1x8x8x256xf32>)
    %expand_shape_34 = memref.expand_shape %arg13 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : memref<256xf32> into memref<1x1x1x256xf32>
    %alloc_35 = memref.alloc() {alignment = 64 : i64} : memref<256xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg220 : memref<256xf32>) outs(%alloc_35 : memref<256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_36 = memref.expand_shape %alloc_35 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : memref<256xf32> into memref<1x1x1x256xf32>
    %expand_shape_37 = memref.expand_shape %arg221 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : memref<256xf32> into memref<1x1x1x256xf32>
    %expand_shape_38 = memref.expand_shape %arg16 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : memref<256xf32> into memref<1x1x1x256xf32>
    %expand_shape_39 = memref.expand_shape %arg17 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : memref<256xf32> into memref<1x1x1x256xf32>
    %alloc_40 = memref.alloc() {alignment = 64 : i64} : memref<256xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg222 : memref<256xf32>) outs(%alloc_40 : memref<256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_41 = memref.expand_shape %alloc_40 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : memref<256xf32> into memref<1x1x1x256xf32>
    %expand_shape_42 = memref.expand_shape %arg223 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : memref<256xf32> into memref<1x1x1x256xf32>
    %expand_shape_43 = memref.expand_shape %arg18 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : memref<256xf32> into memref<1x1x1x256xf32>
    %expand_shape_44 = memref.expand_shape %arg19 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : memref<256xf32> into memref<1x1x1x256xf32>
    %alloc_45 = memref.alloc() {alignment = 64 : i64} : memref<1x8x8x256xf32>
    linalg.generic {indexing_maps = [#map1, #map2, #map2, #map2, #map2, #map2, #map1, #map2, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_33, %expand_shape_34, %expand_shape_37, %expand_shape_38, %expand_shape_36, %expand_shape_39, %alloc_31, %expand_shape_32, %expand_shape_42, %expand_shape_43, %expand_shape_41, %expand_shape_44 : memref<1x8x8x256xf32>, memref<1x1x1x256xf32>, memref<1x1x1x256xf32>, memref<1x1x1x256xf32>, memref<1x1x1x256xf32>, memref<1x1x1x256xf32>, memref<1x8x8x256xf32>, memref<1x1x1x256xf32>, memref<1x1x1x256xf32>, memref<1x1x1x256xf32>, memref<1x1x1x256xf32>, memref<1x1x1x256xf32>) outs(%alloc_45 : memref<1x8x8x256xf32>) {
    ^bb0(%in: f32, %in_466: f32, %in_467: f32, %in_468: f32, %in_469: f32, %in_470: f32, %in_471: f32, %in_472: f32, %in_473: f32, %in_474: f32, %in_475: f32, %in_476: f32, %out: f32):
      %0 = arith.addf %in_467, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_468 : f32
      %3 = arith.mulf %in_469, %2 : f32
      %4 = arith.addf %in_473, %cst_0 : f32
      %5 = arith.addf %3, %in_470 : f32
      %6 = arith.addf %in, %in_466 : f32
      %7 = arith.mulf %6, %2 : f32
      %8 = math.rsqrt %4 : f32
      %9 = arith.mulf %8, %in_474 : f32
      %10 = arith.mulf %in_475, %9 : f32
      %11 = arith.addf %10, %in_476 : f32
      %12 = arith.addf %in_471, %in_472 : f32
      %13 = arith.mulf %12, %9 : f32
      %14 = arith.addf %13, %11 : f32
      %15 = arith.addf %7, %5 : f32
      %16 = arith.addf %15, %14 : f32
      %17 = arith.maximumf %16, %cst : f32
      linalg.yield %17 : f32
    }
    %alloc_46 = memref.alloc() {alignment = 64 : i64} : memref<1x8x8x64xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_46 : memref<1x8x8x64xf32>)
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_45, %arg20 : memref<1x8x8x256xf32>, memref<1x1x256x64xf32>) outs(%alloc_46 : memref<1x8x8x64xf32>)
    %expand_shape_47 = memref.expand_shape %arg21 [[0, 1, 2, 3]] output_shape [1, 1, 1, 64] : memref<64xf32> into memref<1x1x1x64xf32>
    %alloc_48 = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg224 : memref<64xf32>) outs(%alloc_48 : memref<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_49 = memref.expand_shape %alloc_48 [[0, 1, 2, 3]] output_shape [1, 1, 1, 64] : memref<64xf32> into memref<1x1x1x64xf32>
    %expand_shape_50 = memref.expand_shape %arg225 [[0, 1, 2, 3]] output_shape [1, 1, 1, 64] : memref<64xf32> into memref<1x1x1x64xf32>
    %expand_shape_51 = memref.expand_shape %arg22 [[0, 1, 2, 3]] output_shape [1, 1, 1, 64] : memref<64xf32> into memref<1x1x1x64xf32>
    %expand_shape_52 = memref.expand_shape %arg23 [[0, 1, 2, 3]] output_shape [1, 1, 1, 64] : memref<64xf32> into memref<1x1x1x64xf32>
    %alloc_53 = memref.alloc() {alignment = 64 : i64} : memref<1x8x8x64xf32>
    linalg.generic {indexing_maps = [#map1, #map2, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_46, %expand_shape_47, %expand_shape_50, %expand_shape_51, %expand_shape_49, %expand_shape_52 : memref<1x8x8x64xf32>, memref<1x1x1x64xf32>, memref<1x1x1x64xf32>, memref<1x1x1x64xf32>, memref<1x1x1x64xf32>, memref<1x1x1x64xf32>) outs(%alloc_53 : memref<1x8x8x64xf32>) {
    ^bb0(%in: f32, %in_466: f32, %in_467: f32, %in_468: f32, %in_469: f32, %in_470: f32, %out: f32):
      %0 = arith.addf %in_467, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_468 : f32
      %3 = arith.mulf %in_469, %2 : f32
      %4 = arith.addf %3, %in_470 : f32
      %5 = arith.addf %in, %in_466 : f32
      %6 = arith.mulf %5, %2 : f32
      %7 = arith.addf %6, %4 : f32
      %8 = arith.maximumf %7, %cst : f32
      linalg.yield %8 : f32
    }
    %alloc_54 = memref.alloc() {alignment = 64 : i64} : memref<1x8x8x64xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_54 : memref<1x8x8x64xf32>)
    %alloc_55 = memref.alloc() {alignment = 64 : i64} : memref<1x10x10x64xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_55 : memref<1x10x10x64xf32>)
    %subview_56 = memref.subview %alloc_55[0, 1, 1, 0] [1, 8, 8, 64] [1, 1, 1, 1] : memref<1x10x10x64xf32> to memref<1x8x8x64xf32, strided<[6400, 640, 64, 1], offset: 704>>
    memref.copy %alloc_53, %subview_56 : memref<1x8x8x64xf32> to memref<1x8x8x64xf32, strided<[6400, 640, 64, 1], offset: 704>>
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_55, %arg24 : memref<1x10x10x64xf32>, memref<3x3x64x64xf32>) outs(%alloc_54 : memref<1x8x8x64xf32>)
    %expand_shape_57 = memref.expand_shape %arg25 [[0, 1, 2, 3]] output_shape [1, 1, 1, 64] : memref<64xf32> into memref<1x1x1x64xf32>
    %alloc_58 = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg226 : memref<64xf32>) outs(%alloc_58 : memref<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_59 = memref.expand_shape %alloc_58 [[0, 1, 2, 3]] output_shape [1, 1, 1, 64] : memref<64xf32> into memref<1x1x1x64xf32>
    %expand_shape_60 = memref.expand_shape %arg227 [[0, 1, 2, 3]] output_shape [1, 1, 1, 64] : memref<64xf32> into memref<1x1x1x64xf32>
    %expand_shape_61 = memref.expand_shape %arg26 [[0, 1, 2, 3]] output_shape [1, 1, 1, 64] : memref<64xf32> into memref<1x1x1x64xf32>
    %expand_shape_62 = memref.expand_shape %arg27 [[0, 1, 2, 3]] output_shape [1, 1, 1, 64] : memref<64xf32> into memref<1x1x1x64xf32>
    %alloc_63 = memref.alloc() {alignment = 64 : i64} : memref<1x8x8x64xf32>
    linalg.generic {indexing_maps = [#map1, #map2, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_54, %expand_shape_57, %expand_shape_60, %expand_shape_61, %expand_shape_59, %expand_shape_62 : memref<1x8x8x64xf32>, memref<1x1x1x64xf32>, memref<1x1x1x64xf32>, memref<1x1x1x64xf32>, memref<1x1x1x64xf32>, memref<1x1x1x64xf32>) outs(%alloc_63 : memref<1x8x8x64xf32>) {
    ^bb0(%in: f32, %in_466: f32, %in_467: f32, %in_468: f32, %in_469: f32, %in_470: f32, %out: f32):
      %0 = arith.addf %in_467, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_468 : f32
      %3 = arith.mulf %in_469, %2 : f32
      %4 = arith.addf %3, %in_470 : f32
      %5 = arith.addf %in, %in_466 : f32
      %6 = arith.mulf %5, %2 : f32
      %7 = arith.addf %6, %4 : f32
      %8 = arith.maximumf %7, %cst : f32
      linalg.yield %8 : f32
    }
    %alloc_64 = memref.alloc() {alignment = 64 : i64} : memref<1x8x8x256xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_64 : memref<1x8x8x256xf32>)
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_63, %arg28 : memref<1x8x8x64xf32>, memref<1x1x64x256xf32>) outs(%alloc_64 : memref<1x8x8x256xf32>)
    %expand_shape_65 = memref.expand_shape %arg29 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : memref<256xf32> into memref<1x1x1x256xf32>
    %alloc_66 = memref.alloc() {alignment = 64 : i64} : memref<256xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg228 : memref<256xf32>) outs(%alloc_66 : memref<256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_67 = memref.expand_shape %alloc_66 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : memref<256xf32> into memref<1x1x1x256xf32>
    %expand_shape_68 = memref.expand_shape %arg229 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : memref<256xf32> into memref<1x1x1x256xf32>
    %expand_shape_69 = memref.expand_shape %arg30 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : memref<256xf32> into memref<1x1x1x256xf32>
    %expand_shape_70 = memref.expand_shape %arg31 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : memref<256xf32> into memref<1x1x1x256xf32>
    %alloc_71 = memref.alloc() {alignment = 64 : i64} : memref<1x8x8x256xf32>
    linalg.generic {indexing_maps = [#map1, #map1, #map2, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_45, %alloc_64, %expand_shape_65, %expand_shape_68, %expand_shape_69, %expand_shape_67, %expand_shape_70 : memref<1x8x8x256xf32>, memref<1x8x8x256xf32>, memref<1x1x1x256xf32>, memref<1x1x1x256xf32>, memref<1x1x1x256xf32>, memref<1x1x1x256xf32>, memref<1x1x1x256xf32>) outs(%alloc_71 : memref<1x8x8x256xf32>) {
    ^bb0(%in: f32, %in_466: f32, %in_467: f32, %in_468: f32, %in_469: f32, %in_470: f32, %in_471: f32, %out: f32):
      %0 = arith.addf %in_468, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_469 : f32
      %3 = arith.mulf %in_470, %2 : f32
      %4 = arith.addf %3, %in_471 : f32
      %5 = arith.addf %in_466, %in_467 : f32
      %6 = arith.mulf %5, %2 : f32
      %7 = arith.addf %6, %4 : f32
      %8 = arith.addf %in, %7 : f32
      %9 = arith.maximumf %8, %cst : f32
      linalg.yield %9 : f32
    }
    %alloc_72 = memref.alloc() {alignment = 64 : i64} : memref<1x8x8x64xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_72 : memref<1x8x8x64xf32>)
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_71, %arg32 : memref<1x8x8x256xf32>, memref<1x1x256x64xf32>) outs(%alloc_72 : memref<1x8x8x64xf32>)
    %expand_shape_73 = memref.expand_shape %arg33 [[0, 1, 2, 3]] output_shape [1, 1, 1, 64] : memref<64xf32> into memref<1x1x1x64xf32>
    %alloc_74 = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg230 : memref<64xf32>) outs(%alloc_74 : memref<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_75 = memref.expand_shape %alloc_74 [[0, 1, 2, 3]] output_shape [1, 1, 1, 64] : memref<64xf32> into memref<1x1x1x64xf32>
    %expand_shape_76 = memref.expand_shape %arg231 [[0, 1, 2, 3]] output_shape [1, 1, 1, 64] : memref<64xf32> into memref<1x1x1x64xf32>
    %expand_shape_77 = memref.expand_shape %arg34 [[0, 1, 2, 3]] output_shape [1, 1, 1, 64] : memref<64xf32> into memref<1x1x1x64xf32>
    %expand_shape_78 = memref.expand_shape %arg35 [[0, 1, 2, 3]] output_shape [1, 1, 1, 64] : memref<64xf32> into memref<1x1x1x64xf32>
    %alloc_79 = memref.alloc() {alignment = 64 : i64} : memref<1x8x8x64xf32>
    linalg.generic {indexing_maps = [#map1, #map2, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_72, %expand_shape_73, %expand_shape_76, %expand_shape_77, %expand_shape_75, %expand_shape_78 : memref<1x8x8x64xf32>, memref<1x1x1x64xf32>, memref<1x1x1x64xf32>, memref<1x1x1x64xf32>, memref<1x1x1x64xf32>, memref<1x1x1x64xf32>) outs(%alloc_79 : memref<1x8x8x64xf32>) {
    ^bb0(%in: f32, %in_466: f32, %in_467: f32, %in_468: f32, %in_469: f32, %in_470: f32, %out: f32):
      %0 = arith.addf %in_467, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_468 : f32
      %3 = arith.mulf %in_469, %2 : f32
      %4 = arith.addf %3, %in_470 : f32
      %5 = arith.addf %in, %in_466 : f32
      %6 = arith.mulf %5, %2 : f32
      %7 = arith.addf %6, %4 : f32
      %8 = arith.maximumf %7, %cst : f32
      linalg.yield %8 : f32
    }
    %alloc_80 = memref.alloc() {alignment = 64 : i64} : memref<1x8x8x64xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_80 : memref<1x8x8x64xf32>)
    %alloc_81 = memref.alloc() {alignment = 64 : i64} : memref<1x10x10x64xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_81 : memref<1x10x10x64xf32>)
    %subview_82 = memref.subview %alloc_81[0, 1, 1, 0] [1, 8, 8, 64] [1, 1, 1, 1] : memref<1x10x10x64xf32> to memref<1x8x8x64xf32, strided<[6400, 640, 64, 1], offset: 704>>
    memref.copy %alloc_79, %subview_82 : memref<1x8x8x64xf32> to memref<1x8x8x64xf32, strided<[6400, 640, 64, 1], offset: 704>>
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_81, %arg36 : memref<1x10x10x64xf32>, memref<3x3x64x64xf32>) outs(%alloc_80 : memref<1x8x8x64xf32>)
    %expand_shape_83 = memref.expand_shape %arg37 [[0, 1, 2, 3]] output_shape [1, 1, 1, 64] : memref<64xf32> into memref<1x1x1x64xf32>
    %alloc_84 = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg232 : memref<64xf32>) outs(%alloc_84 : memref<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_85 = memref.expand_shape %alloc_84 [[0, 1, 2, 3]] output_shape [1, 1, 1, 64] : memref<64xf32> into memref<1x1x1x64xf32>
    %expand_shape_86 = memref.expand_shape %arg233 [[0, 1, 2, 3]] output_shape [1, 1, 1, 64] : memref<64xf32> into memref<1x1x1x64xf32>
    %expand_shape_87 = memref.expand_shape %arg38 [[0, 1, 2, 3]] output_shape [1, 1, 1, 64] : memref<64xf32> into memref<1x1x1x64xf32>
    %expand_shape_88 = memref.expand_shape %arg39 [[0, 1, 2, 3]] output_shape [1, 1, 1, 64] : memref<64xf32> into memref<1x1x1x64xf32>
    %alloc_89 = memref.alloc() {alignment = 64 : i64} : memref<1x8x8x64xf32>
    linalg.generic {indexing_maps = [#map1, #map2, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_80, %expand_shape_83, %expand_shape_86, %expand_shape_87, %expand_shape_85, %expand_shape_88 : memref<1x8x8x64xf32>, memref<1x1x1x64xf32>, memref<1x1x1x64xf32>, memref<1x1x1x64xf32>, memref<1x1x1x64xf32>, memref<1x1x1x64xf32>) outs(%alloc_89 : memref<1x8x8x64xf32>) {
    ^bb0(%in: f32, %in_466: f32, %in_467: f32, %in_468: f32, %in_469: f32, %in_470: f32, %out: f32):
      %0 = arith.addf %in_467, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_468 : f32
      %3 = arith.mulf %in_469, %2 : f32
      %4 = arith.addf %3, %in_470 : f32
      %5 = arith.addf %in, %in_466 : f32
      %6 = arith.mulf %5, %2 : f32
      %7 = arith.addf %6, %4 : f32
      %8 = arith.maximumf %7, %cst : f32
      linalg.yield %8 : f32
    }
    %alloc_90 = memref.alloc() {alignment = 64 : i64} : memref<1x8x8x256xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_90 : memref<1x8x8x256xf32>)
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_89, %arg40 : memref<1x8x8x64xf32>, memref<1x1x64x256xf32>) outs(%alloc_90 : memref<1x8x8x256xf32>)
    %expand_shape_91 = memref.expand_shape %arg41 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : memref<256xf32> into memref<1x1x1x256xf32>
    %alloc_92 = memref.alloc() {alignment = 64 : i64} : memref<256xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg234 : memref<256xf32>) outs(%alloc_92 : memref<256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_93 = memref.expand_shape %alloc_92 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : memref<256xf32> into memref<1x1x1x256xf32>
    %expand_shape_94 = memref.expand_shape %arg235 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : memref<256xf32> into memref<1x1x1x256xf32>
    %expand_shape_95 = memref.expand_shape %arg42 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : memref<256xf32> into memref<1x1x1x256xf32>
    %expand_shape_96 = memref.expand_shape %arg43 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : memref<256xf32> into memref<1x1x1x256xf32>
    %alloc_97 = memref.alloc() {alignment = 64 : i64} : memref<1x8x8x256xf32>
    linalg.generic {indexing_maps = [#map1, #map1, #map2, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_71, %alloc_90, %expand_shape_91, %expand_shape_94, %expand_shape_95, %expand_shape_93, %expand_shape_96 : memref<1x8x8x256xf32>, memref<1x8x8x256xf32>, memref<1x1x1x256xf32>, memref<1x1x1x256xf32>, memref<1x1x1x256xf32>, memref<1x1x1x256xf32>, memref<1x1x1x256xf32>) outs(%alloc_97 : memref<1x8x8x256xf32>) {
    ^bb0(%in: f32, %in_466: f32, %in_467: f32, %in_468: f32, %in_469: f32, %in_470: f32, %in_471: f32, %out: f32):
      %0 = arith.addf %in_468, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_469 : f32
      %3 = arith.mulf %in_470, %2 : f32
      %4 = arith.addf %3, %in_471 : f32
      %5 = arith.addf %in_466, %in_467 : f32
      %6 = arith.mulf %5, %2 : f32
      %7 = arith.addf %6, %4 : f32
      %8 = arith.addf %in, %7 : f32
      %9 = arith.maximumf %8, %cst : f32
      linalg.yield %9 : f32
    }
    %alloc_98 = memref.alloc() {alignment = 64 : i64} : memref<1x4x4x128xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_98 : memref<1x4x4x128xf32>)
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%alloc_97, %arg44 : memref<1x8x8x256xf32>, memref<1x1x256x128xf32>) outs(%alloc_98 : memref<1x4x4x128xf32>)
    %expand_shape_99 = memref.expand_shape %arg45 [[0, 1, 2, 3]] output_shape [1, 1, 1, 128] : memref<128xf32> into memref<1x1x1x128xf32>
    %alloc_100 = memref.alloc() {alignment = 64 : i64} : memref<128xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg236 : memref<128xf32>) outs(%alloc_100 : memref<128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_101 = memref.expand_shape %alloc_100 [[0, 1, 2, 3]] output_shape [1, 1, 1, 128] : memref<128xf32> into memref<1x1x1x128xf32>
    %expand_shape_102 = memref.expand_shape %arg237 [[0, 1, 2, 3]] output_shape [1, 1, 1, 128] : memref<128xf32> into memref<1x1x1x128xf32>
    %expand_shape_103 = memref.expand_shape %arg46 [[0, 1, 2, 3]] output_shape [1, 1, 1, 128] : memref<128xf32> into memref<1x1x1x128xf32>
    %expand_shape_104 = memref.expand_shape %arg47 [[0, 1, 2, 3]] output_shape [1, 1, 1, 128] : memref<128xf32> into memref<1x1x1x128xf32>
    %alloc_105 = memref.alloc() {alignment = 64 : i64} : memref<1x4x4x128xf32>
    linalg.generic {indexing_maps = [#map1, #map2, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_98, %expand_shape_99, %expand_shape_102, %expand_shape_103, %expand_shape_101, %expand_shape_104 : memref<1x4x4x128xf32>, memref<1x1x1x128xf32>, memref<1x1x1x128xf32>, memref<1x1x1x128xf32>, memref<1x1x1x128xf32>, memref<1x1x1x128xf32>) outs(%alloc_105 : memref<1x4x4x128xf32>) {
    ^bb0(%in: f32, %in_466: f32, %in_467: f32, %in_468: f32, %in_469: f32, %in_470: f32, %out: f32):
      %0 = arith.addf %in_467, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_468 : f32
      %3 = arith.mulf %in_469, %2 : f32
      %4 = arith.addf %3, %in_470 : f32
      %5 = arith.addf %in, %in_466 : f32
      %6 = arith.mulf %5, %2 : f32
      %7 = arith.addf %6, %4 : f32
      %8 = arith.maximumf %7, %cst : f32
      linalg.yield %8 : f32
    }
    %alloc_106 = memref.alloc() {alignment = 64 : i64} : memref<1x4x4x128xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_106 : memref<1x4x4x128xf32>)
    %alloc_107 = memref.alloc() {alignment = 64 : i64} : memref<1x6x6x128xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_107 : memref<1x6x6x128xf32>)
    %subview_108 = memref.subview %alloc_107[0, 1, 1, 0] [1, 4, 4, 128] [1, 1, 1, 1] : memref<1x6x6x128xf32> to memref<1x4x4x128xf32, strided<[4608, 768, 128, 1], offset: 896>>
    memref.copy %alloc_105, %subview_108 : memref<1x4x4x128xf32> to memref<1x4x4x128xf32, strided<[4608, 768, 128, 1], offset: 896>>
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_107, %arg48 : memref<1x6x6x128xf32>, memref<3x3x128x128xf32>) outs(%alloc_106 : memref<1x4x4x128xf32>)
    %expand_shape_109 = memref.expand_shape %arg49 [[0, 1, 2, 3]] output_shape [1, 1, 1, 128] : memref<128xf32> into memref<1x1x1x128xf32>
    %alloc_110 = memref.alloc() {alignment = 64 : i64} : memref<128xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg238 : memref<128xf32>) outs(%alloc_110 : memref<128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_111 = memref.expand_shape %alloc_110 [[0, 1, 2, 3]] output_shape [1, 1, 1, 128] : memref<128xf32> into memref<1x1x1x128xf32>
    %expand_shape_112 = memref.expand_shape %arg239 [[0, 1, 2, 3]] output_shape [1, 1, 1, 128] : memref<128xf32> into memref<1x1x1x128xf32>
    %expand_shape_113 = memref.expand_shape %arg50 [[0, 1, 2, 3]] output_shape [1, 1, 1, 128] : memref<128xf32> into memref<1x1x1x128xf32>
    %expand_shape_114 = memref.expand_shape %arg51 [[0, 1, 2, 3]] output_shape [1, 1, 1, 128] : memref<128xf32> into memref<1x1x1x128xf32>
    %alloc_115 = memref.alloc() {alignment = 64 : i64} : memref<1x4x4x128xf32>
    linalg.generic {indexing_maps = [#map1, #map2, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_106, %expand_shape_109, %expand_shape_112, %expand_shape_113, %expand_shape_111, %expand_shape_114 : memref<1x4x4x128xf32>, memref<1x1x1x128xf32>, memref<1x1x1x128xf32>, memref<1x1x1x128xf32>, memref<1x1x1x128xf32>, memref<1x1x1x128xf32>) outs(%alloc_115 : memref<1x4x4x128xf32>) {
    ^bb0(%in: f32, %in_466: f32, %in_467: f32, %in_468: f32, %in_469: f32, %in_470: f32, %out: f32):
      %0 = arith.addf %in_467, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_468 : f32
      %3 = arith.mulf %in_469, %2 : f32
      %4 = arith.addf %3, %in_470 : f32
      %5 = arith.addf %in, %in_466 : f32
      %6 = arith.mulf %5, %2 : f32
      %7 = arith.addf %6, %4 : f32
      %8 = arith.maximumf %7, %cst : f32
      linalg.yield %8 : f32
    }
    %alloc_116 = memref.alloc() {alignment = 64 : i64} : memref<1x4x4x512xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_116 : memref<1x4x4x512xf32>)
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_115, %arg54 : memref<1x4x4x128xf32>, memref<1x1x128x512xf32>) outs(%alloc_116 : memref<1x4x4x512xf32>)
    %expand_shape_117 = memref.expand_shape %arg55 [[0, 1, 2, 3]] output_shape [1, 1, 1, 512] : memref<512xf32> into memref<1x1x1x512xf32>
    %alloc_118 = memref.alloc() {alignment = 64 : i64} : memref<1x4x4x512xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_118 : memref<1x4x4x512xf32>)
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%alloc_97, %arg52 : memref<1x8x8x256xf32>, memref<1x1x256x512xf32>) outs(%alloc_118 : memref<1x4x4x512xf32>)
    %expand_shape_119 = memref.expand_shape %arg53 [[0, 1, 2, 3]] output_shape [1, 1, 1, 512] : memref<512xf32> into memref<1x1x1x512xf32>
    %alloc_120 = memref.alloc() {alignment = 64 : i64} : memref<512xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg240 : memref<512xf32>) outs(%alloc_120 : memref<512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_121 = memref.expand_shape %alloc_120 [[0, 1, 2, 3]] output_shape [1, 1, 1, 512] : memref<512xf32> into memref<1x1x1x512xf32>
    %expand_shape_122 = memref.expand_shape %arg241 [[0, 1, 2, 3]] output_shape [1, 1, 1, 512] : memref<512xf32> into memref<1x1x1x512xf32>
    %expand_shape_123 = memref.expand_shape %arg56 [[0, 1, 2, 3]] output_shape [1, 1, 1, 512] : memref<512xf32> into memref<1x1x1x512xf32>
    %expand_shape_124 = memref.expand_shape %arg57 [[0, 1, 2, 3]] output_shape [1, 1, 1, 512] : memref<512xf32> into memref<1x1x1x512xf32>
    %alloc_125 = memref.alloc() {alignment = 64 : i64} : memref<512xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg242 : memref<512xf32>) outs(%alloc_125 : memref<512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_126 = memref.expand_shape %alloc_125 [[0, 1, 2, 3]] output_shape [1, 1, 1, 512] : memref<512xf32> into memref<1x1x1x512xf32>
    %expand_shape_127 = memref.expand_shape %arg243 [[0, 1, 2, 3]] output_shape [1, 1, 1, 512] : memref<512xf32> into memref<1x1x1x512xf32>
    %expand_shape_128 = memref.expand_shape %arg58 [[0, 1, 2, 3]] output_shape [1, 1, 1, 512] : memref<512xf32> into memref<1x1x1x512xf32>
    %expand_shape_129 = memref.expand_shape %arg59 [[0, 1, 2, 3]] output_shape [1, 1, 1, 512] : memref<512xf32> into memref<1x1x1x512xf32>
    %alloc_130 = memref.alloc() {alignment = 64 : i64} : memref<1x4x4x512xf32>
    linalg.generic {indexing_maps = [#map1, #map2, #map2, #map2, #map2, #map2, #map1, #map2, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_118, %expand_shape_119, %expand_shape_122, %expand_shape_123, %expand_shape_121, %expand_shape_124, %alloc_116, %expand_shape_117, %expand_shape_127, %expand_shape_128, %expand_shape_126, %expand_shape_129 : memref<1x4x4x512xf32>, memref<1x1x1x512xf32>, memref<1x1x1x512xf32>, memref<1x1x1x512xf32>, memref<1x1x1x512xf32>, memref<1x1x1x512xf32>, memref<1x4x4x512xf32>, memref<1x1x1x512xf32>, memref<1x1x1x512xf32>, memref<1x1x1x512xf32>, memref<1x1x1x512xf32>, memref<1x1x1x512xf32>) outs(%alloc_130 : memref<1x4x4x512xf32>) {
    ^bb0(%in: f32, %in_466: f32, %in_467: f32, %in_468: f32, %in_469: f32, %in_470: f32, %in_471: f32, %in_472: f32, %in_473: f32, %in_474: f32, %in_475: f32, %in_476: f32, %out: f32):
      %0 = arith.addf %in_467, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_468 : f32
      %3 = arith.mulf %in_469, %2 : f32
      %4 = arith.addf %in_473, %cst_0 : f32
      %5 = arith.addf %3, %in_470 : f32
      %6 = arith.addf %in, %in_466 : f32
      %7 = arith.mulf %6, %2 : f32
      %8 = math.rsqrt %4 : f32
      %9 = arith.mulf %8, %in_474 : f32
      %10 = arith.mulf %in_475, %9 : f32
      %11 = arith.addf %10, %in_476 : f32
      %12 = arith.addf %in_471, %in_472 : f32
      %13 = arith.mulf %12, %9 : f32
      %14 = arith.addf %13, %11 : f32
      %15 = arith.addf %7, %5 : f32
      %16 = arith.addf %15, %14 : f32
      %17 = arith.maximumf %16, %cst : f32
      linalg.yield %17 : f32
    }
    %alloc_131 = memref.alloc() {alignment = 64 : i64} : memref<1x4x4x128xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_131 : memref<1x4x4x128xf32>)
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_130, %arg60 : memref<1x4x4x512xf32>, memref<1x1x512x128xf32>) outs(%alloc_131 : memref<1x4x4x128xf32>)
    %expand_shape_132 = memref.expand_shape %arg61 [[0, 1, 2, 3]] output_shape [1, 1, 1, 128] : memref<128xf32> into memref<1x1x1x128xf32>
    %alloc_133 = memref.alloc() {alignment = 64 : i64} : memref<128xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg244 : memref<128xf32>) outs(%alloc_133 : memref<128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_134 = memref.expand_shape %alloc_133 [[0, 1, 2, 3]] output_shape [1, 1, 1, 128] : memref<128xf32> into memref<1x1x1x128xf32>
    %expand_shape_135 = memref.expand_shape %arg245 [[0, 1, 2, 3]] output_shape [1, 1, 1, 128] : memref<128xf32> into memref<1x1x1x128xf32>
    %expand_shape_136 = memref.expand_shape %arg62 [[0, 1, 2, 3]] output_shape [1, 1, 1, 128] : memref<128xf32> into memref<1x1x1x128xf32>
    %expand_shape_137 = memref.expand_shape %arg63 [[0, 1, 2, 3]] output_shape [1, 1, 1, 128] : memref<128xf32> into memref<1x1x1x128xf32>
    %alloc_138 = memref.alloc() {alignment = 64 : i64} : memref<1x4x4x128xf32>
    linalg.generic {indexing_maps = [#map1, #map2, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_131, %expand_shape_132, %expand_shape_135, %expand_shape_136, %expand_shape_134, %expand_shape_137 : memref<1x4x4x128xf32>, memref<1x1x1x128xf32>, memref<1x1x1x128xf32>, memref<1x1x1x128xf32>, memref<1x1x1x128xf32>, memref<1x1x1x128xf32>) outs(%alloc_138 : memref<1x4x4x128xf32>) {
    ^bb0(%in: f32, %in_466: f32, %in_467: f32, %in_468: f32, %in_469: f32, %in_470: f32, %out: f32):
      %0 = arith.addf %in_467, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_468 : f32
      %3 = arith.mulf %in_469, %2 : f32
      %4 = arith.addf %3, %in_470 : f32
      %5 = arith.addf %in, %in_466 : f32
      %6 = arith.mulf %5, %2 : f32
      %7 = arith.addf %6, %4 : f32
      %8 = arith.maximumf %7, %cst : f32
      linalg.yield %8 : f32
    }
    %alloc_139 = memref.alloc() {alignment = 64 : i64} : memref<1x4x4x128xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_139 : memref<1x4x4x128xf32>)
    %alloc_140 = memref.alloc() {alignment = 64 : i64} : memref<1x6x6x128xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_140 : memref<1x6x6x128xf32>)
    %subview_141 = memref.subview %alloc_140[0, 1, 1, 0] [1, 4, 4, 128] [1, 1, 1, 1] : memref<1x6x6x128xf32> to memref<1x4x4x128xf32, strided<[4608, 768, 128, 1], offset: 896>>
    memref.copy %alloc_138, %subview_141 : memref<1x4x4x128xf32> to memref<1x4x4x128xf32, strided<[4608, 768, 128, 1], offset: 896>>
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_140, %arg64 : memref<1x6x6x128xf32>, memref<3x3x128x128xf32>) outs(%alloc_139 : memref<1x4x4x128xf32>)
    %expand_shape_142 = memref.expand_shape %arg65 [[0, 1, 2, 3]] output_shape [1, 1, 1, 128] : memref<128xf32> into memref<1x1x1x128xf32>
    %alloc_143 = memref.alloc() {alignment = 64 : i64} : memref<128xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg246 : memref<128xf32>) outs(%alloc_143 : memref<128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_144 = memref.expand_shape %alloc_143 [[0, 1, 2, 3]] output_shape [1, 1, 1, 128] : memref<128xf32> into memref<1x1x1x128xf32>
    %expand_shape_145 = memref.expand_shape %arg247 [[0, 1, 2, 3]] output_shape [1, 1, 1, 128] : memref<128xf32> into memref<1x1x1x128xf32>
    %expand_shape_146 = memref.expand_shape %arg66 [[0, 1, 2, 3]] output_shape [1, 1, 1, 128] : memref<128xf32> into memref<1x1x1x128xf32>
    %expand_shape_147 = memref.expand_shape %arg67 [[0, 1, 2, 3]] output_shape [1, 1, 1, 128] : memref<128xf32> into memref<1x1x1x128xf32>
    %alloc_148 = memref.alloc() {alignment = 64 : i64} : memref<1x4x4x128xf32>
    linalg.generic {indexing_maps = [#map1, #map2, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_139, %expand_shape_142, %expand_shape_145, %expand_shape_146, %expand_shape_144, %expand_shape_147 : memref<1x4x4x128xf32>, memref<1x1x1x128xf32>, memref<1x1x1x128xf32>, memref<1x1x1x128xf32>, memref<1x1x1x128xf32>, memref<1x1x1x128xf32>) outs(%alloc_148 : memref<1x4x4x128xf32>) {
    ^bb0(%in: f32, %in_466: f32, %in_467: f32, %in_468: f32, %in_469: f32, %in_470: f32, %out: f32):
      %0 = arith.addf %in_467, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_468 : f32
      %3 = arith.mulf %in_469, %2 : f32
      %4 = arith.addf %3, %in_470 : f32
      %5 = arith.addf %in, %in_466 : f32
      %6 = arith.mulf %5, %2 : f32
      %7 = arith.addf %6, %4 : f32
      %8 = arith.maximumf %7, %cst : f32
      linalg.yield %8 : f32
    }
    %alloc_149 = memref.alloc() {alignment = 64 : i64} : memref<1x4x4x512xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_149 : memref<1x4x4x512xf32>)
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_148, %arg68 : memref<1x4x4x128xf32>, memref<1x1x128x512xf32>) outs(%alloc_149 : memref<1x4x4x512xf32>)
    %expand_shape_150 = memref.expand_shape %arg69 [[0, 1, 2, 3]] output_shape [1, 1, 1, 512] : memref<512xf32> into memref<1x1x1x512xf32>
    %alloc_151 = memref.alloc() {alignment = 64 : i64} : memref<512xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg248 : memref<512xf32>) outs(%alloc_151 : memref<512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_152 = memref.expand_shape %alloc_151 [[0, 1, 2, 3]] output_shape [1, 1, 1, 512] : memref<512xf32> into memref<1x1x1x512xf32>
    %expand_shape_153 = memref.expand_shape %arg249 [[0, 1, 2, 3]] output_shape [1, 1, 1, 512] : memref<512xf32> into memref<1x1x1x512xf32>
    %expand_shape_154 = memref.expand_shape %arg70 [[0, 1, 2, 3]] output_shape [1, 1, 1, 512] : memref<512xf32> into memref<1x1x1x512xf32>
    %expand_shape_155 = memref.expand_shape %arg71 [[0, 1, 2, 3]] output_shape [1, 1, 1, 512] : memref<512xf32> into memref<1x1x1x512xf32>
    %alloc_156 = memref.alloc() {alignment = 64 : i64} : memref<1x4x4x512xf32>
    linalg.generic {indexing_maps = [#map1, #map1, #map2, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_130, %alloc_149, %expand_shape_150, %expand_shape_153, %expand_shape_154, %expand_shape_152, %expand_shape_155 : memref<1x4x4x512xf32>, memref<1x4x4x512xf32>, memref<1x1x1x512xf32>, memref<1x1x1x512xf32>, memref<1x1x1x512xf32>, memref<1x1x1x512xf32>, memref<1x1x1x512xf32>) outs(%alloc_156 : memref<1x4x4x512xf32>) {
    ^bb0(%in: f32, %in_466: f32, %in_467: f32, %in_468: f32, %in_469: f32, %in_470: f32, %in_471: f32, %out: f32):
      %0 = arith.addf %in_468, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_469 : f32
      %3 = arith.mulf %in_470, %2 : f32
      %4 = arith.addf %3, %in_471 : f32
      %5 = arith.addf %in_466, %in_467 : f32
      %6 = arith.mulf %5, %2 : f32
      %7 = arith.addf %6, %4 : f32
      %8 = arith.addf %in, %7 : f32
      %9 = arith.maximumf %8, %cst : f32
      linalg.yield %9 : f32
    }
    %alloc_157 = memref.alloc() {alignment = 64 : i64} : memref<1x4x4x128xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_157 : memref<1x4x4x128xf32>)
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_156, %arg72 : memref<1x4x4x512xf32>, memref<1x1x512x128xf32>) outs(%alloc_157 : memref<1x4x4x128xf32>)
    %expand_shape_158 = memref.expand_shape %arg73 [[0, 1, 2, 3]] output_shape [1, 1, 1, 128] : memref<128xf32> into memref<1x1x1x128xf32>
    %alloc_159 = memref.alloc() {alignment = 64 : i64} : memref<128xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg250 : memref<128xf32>) outs(%alloc_159 : memref<128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_160 = memref.expand_shape %alloc_159 [[0, 1, 2, 3]] output_shape [1, 1, 1, 128] : memref<128xf32> into memref<1x1x1x128xf32>
    %expand_shape_161 = memref.expand_shape %arg251 [[0, 1, 2, 3]] output_shape [1, 1, 1, 128] : memref<128xf32> into memref<1x1x1x128xf32>
    %expand_shape_162 = memref.expand_shape %arg74 [[0, 1, 2, 3]] output_shape [1, 1, 1, 128] : memref<128xf32> into memref<1x1x1x128xf32>
    %expand_shape_163 = memref.expand_shape %arg75 [[0, 1, 2, 3]] output_shape [1, 1, 1, 128] : memref<128xf32> into memref<1x1x1x128xf32>
    %alloc_164 = memref.alloc() {alignment = 64 : i64} : memref<1x4x4x128xf32>
    linalg.generic {indexing_maps = [#map1, #map2, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_157, %expand_shape_158, %expand_shape_161, %expand_shape_162, %expand_shape_160, %expand_shape_163 : memref<1x4x4x128xf32>, memref<1x1x1x128xf32>, memref<1x1x1x128xf32>, memref<1x1x1x128xf32>, memref<1x1x1x128xf32>, memref<1x1x1x128xf32>) outs(%alloc_164 : memref<1x4x4x128xf32>) {
    ^bb0(%in: f32, %in_466: f32, %in_467: f32, %in_468: f32, %in_469: f32, %in_470: f32, %out: f32):
      %0 = arith.addf %in_467, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_468 : f32
      %3 = arith.mulf %in_469, %2 : f32
      %4 = arith.addf %3, %in_470 : f32
      %5 = arith.addf %in, %in_466 : f32
      %6 = arith.mulf %5, %2 : f32
      %7 = arith.addf %6, %4 : f32
      %8 = arith.maximumf %7, %cst : f32
      linalg.yield %8 : f32
    }
    %alloc_165 = memref.alloc() {alignment = 64 : i64} : memref<1x4x4x128xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_165 : memref<1x4x4x128xf32>)
    %alloc_166 = memref.alloc() {alignment = 64 : i64} : memref<1x6x6x128xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_166 : memref<1x6x6x128xf32>)
    %subview_167 = memref.subview %alloc_166[0, 1, 1, 0] [1, 4, 4, 128] [1, 1, 1, 1] : memref<1x6x6x128xf32> to memref<1x4x4x128xf32, strided<[4608, 768, 128, 1], offset: 896>>
    memref.copy %alloc_164, %subview_167 : memref<1x4x4x128xf32> to memref<1x4x4x128xf32, strided<[4608, 768, 128, 1], offset: 896>>
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_166, %arg76 : memref<1x6x6x128xf32>, memref<3x3x128x128xf32>) outs(%alloc_165 : memref<1x4x4x128xf32>)
    %expand_shape_168 = memref.expand_shape %arg77 [[0, 1, 2, 3]] output_shape [1, 1, 1, 128] : memref<128xf32> into memref<1x1x1x128xf32>
    %alloc_169 = memref.alloc() {alignment = 64 : i64} : memref<128xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg252 : memref<128xf32>) outs(%alloc_169 : memref<128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_170 = memref.expand_shape %alloc_169 [[0, 1, 2, 3]] output_shape [1, 1, 1, 128] : memref<128xf32> into memref<1x1x1x128xf32>
    %expand_shape_171 = memref.expand_shape %arg253 [[0, 1, 2, 3]] output_shape [1, 1, 1, 128] : memref<128xf32> into memref<1x1x1x128xf32>
    %expand_shape_172 = memref.expand_shape %arg78 [[0, 1, 2, 3]] output_shape [1, 1, 1, 128] : memref<128xf32> into memref<1x1x1x128xf32>
    %expand_shape_173 = memref.expand_shape %arg79 [[0, 1, 2, 3]] output_shape [1, 1, 1, 128] : memref<128xf32> into memref<1x1x1x128xf32>
    %alloc_174 = memref.alloc() {alignment = 64 : i64} : memref<1x4x4x128xf32>
    linalg.generic {indexing_maps = [#map1, #map2, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_165, %expand_shape_168, %expand_shape_171, %expand_shape_172, %expand_shape_170, %expand_shape_173 : memref<1x4x4x128xf32>, memref<1x1x1x128xf32>, memref<1x1x1x128xf32>, memref<1x1x1x128xf32>, memref<1x1x1x128xf32>, memref<1x1x1x128xf32>) outs(%alloc_174 : memref<1x4x4x128xf32>) {
    ^bb0(%in: f32, %in_466: f32, %in_467: f32, %in_468: f32, %in_469: f32, %in_470: f32, %out: f32):
      %0 = arith.addf %in_467, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_468 : f32
      %3 = arith.mulf %in_469, %2 : f32
      %4 = arith.addf %3, %in_470 : f32
      %5 = arith.addf %in, %in_466 : f32
      %6 = arith.mulf %5, %2 : f32
      %7 = arith.addf %6, %4 : f32
      %8 = arith.maximumf %7, %cst : f32
      linalg.yield %8 : f32
    }
    %alloc_175 = memref.alloc() {alignment = 64 : i64} : memref<1x4x4x512xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_175 : memref<1x4x4x512xf32>)
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_174, %arg80 : memref<1x4x4x128xf32>, memref<1x1x128x512xf32>) outs(%alloc_175 : memref<1x4x4x512xf32>)
    %expand_shape_176 = memref.expand_shape %arg81 [[0, 1, 2, 3]] output_shape [1, 1, 1, 512] : memref<512xf32> into memref<1x1x1x512xf32>
    %alloc_177 = memref.alloc() {alignment = 64 : i64} : memref<512xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg254 : memref<512xf32>) outs(%alloc_177 : memref<512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_178 = memref.expand_shape %alloc_177 [[0, 1, 2, 3]] output_shape [1, 1, 1, 512] : memref<512xf32> into memref<1x1x1x512xf32>
    %expand_shape_179 = memref.expand_shape %arg255 [[0, 1, 2, 3]] output_shape [1, 1, 1, 512] : memref<512xf32> into memref<1x1x1x512xf32>
    %expand_shape_180 = memref.expand_shape %arg82 [[0, 1, 2, 3]] output_shape [1, 1, 1, 512] : memref<512xf32> into memref<1x1x1x512xf32>
    %expand_shape_181 = memref.expand_shape %arg83 [[0, 1, 2, 3]] output_shape [1, 1, 1, 512] : memref<512xf32> into memref<1x1x1x512xf32>
    %alloc_182 = memref.alloc() {alignment = 64 : i64} : memref<1x4x4x512xf32>
    linalg.generic {indexing_maps = [#map1, #map1, #map2, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_156, %alloc_175, %expand_shape_176, %expand_shape_179, %expand_shape_180, %expand_shape_178, %expand_shape_181 : memref<1x4x4x512xf32>, memref<1x4x4x512xf32>, memref<1x1x1x512xf32>, memref<1x1x1x512xf32>, memref<1x1x1x512xf32>, memref<1x1x1x512xf32>, memref<1x1x1x512xf32>) outs(%alloc_182 : memref<1x4x4x512xf32>) {
    ^bb0(%in: f32, %in_466: f32, %in_467: f32, %in_468: f32, %in_469: f32, %in_470: f32, %in_471: f32, %out: f32):
      %0 = arith.addf %in_468, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_469 : f32
      %3 = arith.mulf %in_470, %2 : f32
      %4 = arith.addf %3, %in_471 : f32
      %5 = arith.addf %in_466, %in_467 : f32
      %6 = arith.mulf %5, %2 : f32
      %7 = arith.addf %6, %4 : f32
      %8 = arith.addf %in, %7 : f32
      %9 = arith.maximumf %8, %cst : f32
      linalg.yield %9 : f32
    }
    %alloc_183 = memref.alloc() {alignment = 64 : i64} : memref<1x4x4x128xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_183 : memref<1x4x4x128xf32>)
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_182, %arg84 : memref<1x4x4x512xf32>, memref<1x1x512x128xf32>) outs(%alloc_183 : memref<1x4x4x128xf32>)
    %expand_shape_184 = memref.expand_shape %arg85 [[0, 1, 2, 3]] output_shape [1, 1, 1, 128] : memref<128xf32> into memref<1x1x1x128xf32>
    %alloc_185 = memref.alloc() {alignment = 64 : i64} : memref<128xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg256 : memref<128xf32>) outs(%alloc_185 : memref<128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_186 = memref.expand_shape %alloc_185 [[0, 1, 2, 3]] output_shape [1, 1, 1, 128] : memref<128xf32> into memref<1x1x1x128xf32>
    %expand_shape_187 = memref.expand_shape %arg257 [[0, 1, 2, 3]] output_shape [1, 1, 1, 128] : memref<128xf32> into memref<1x1x1x128xf32>
    %expand_shape_188 = memref.expand_shape %arg86 [[0, 1, 2, 3]] output_shape [1, 1, 1, 128] : memref<128xf32> into memref<1x1x1x128xf32>
    %expand_shape_189 = memref.expand_shape %arg87 [[0, 1, 2, 3]] output_shape [1, 1, 1, 128] : memref<128xf32> into memref<1x1x1x128xf32>
    %alloc_190 = memref.alloc() {alignment = 64 : i64} : memref<1x4x4x128xf32>
    linalg.generic {indexing_maps = [#map1, #map2, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_183, %expand_shape_184, %expand_shape_187, %expand_shape_188, %expand_shape_186, %expand_shape_189 : memref<1x4x4x128xf32>, memref<1x1x1x128xf32>, memref<1x1x1x128xf32>, memref<1x1x1x128xf32>, memref<1x1x1x128xf32>, memref<1x1x1x128xf32>) outs(%alloc_190 : memref<1x4x4x128xf32>) {
    ^bb0(%in: f32, %in_466: f32, %in_467: f32, %in_468: f32, %in_469: f32, %in_470: f32, %out: f32):
      %0 = arith.addf %in_467, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_468 : f32
      %3 = arith.mulf %in_469, %2 : f32
      %4 = arith.addf %3, %in_470 : f32
      %5 = arith.addf %in, %in_466 : f32
      %6 = arith.mulf %5, %2 : f32
      %7 = arith.addf %6, %4 : f32
      %8 = arith.maximumf %7, %cst : f32
      linalg.yield %8 : f32
    }
    %alloc_191 = memref.alloc() {alignment = 64 : i64} : memref<1x4x4x128xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_191 : memref<1x4x4x128xf32>)
    %alloc_192 = memref.alloc() {alignment = 64 : i64} : memref<1x6x6x128xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_192 : memref<1x6x6x128xf32>)
    %subview_193 = memref.subview %alloc_192[0, 1, 1, 0] [1, 4, 4, 128] [1, 1, 1, 1] : memref<1x6x6x128xf32> to memref<1x4x4x128xf32, strided<[4608, 768, 128, 1], offset: 896>>
    memref.copy %alloc_190, %subview_193 : memref<1x4x4x128xf32> to memref<1x4x4x128xf32, strided<[4608, 768, 128, 1], offset: 896>>
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_192, %arg88 : memref<1x6x6x128xf32>, memref<3x3x128x128xf32>) outs(%alloc_191 : memref<1x4x4x128xf32>)
    %expand_shape_194 = memref.expand_shape %arg89 [[0, 1, 2, 3]] output_shape [1, 1, 1, 128] : memref<128xf32> into memref<1x1x1x128xf32>
    %alloc_195 = memref.alloc() {alignment = 64 : i64} : memref<128xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg258 : memref<128xf32>) outs(%alloc_195 : memref<128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_196 = memref.expand_shape %alloc_195 [[0, 1, 2, 3]] output_shape [1, 1, 1, 128] : memref<128xf32> into memref<1x1x1x128xf32>
    %expand_shape_197 = memref.expand_shape %arg259 [[0, 1, 2, 3]] output_shape [1, 1, 1, 128] : memref<128xf32> into memref<1x1x1x128xf32>
    %expand_shape_198 = memref.expand_shape %arg90 [[0, 1, 2, 3]] output_shape [1, 1, 1, 128] : memref<128xf32> into memref<1x1x1x128xf32>
    %expand_shape_199 = memref.expand_shape %arg91 [[0, 1, 2, 3]] output_shape [1, 1, 1, 128] : memref<128xf32> into memref<1x1x1x128xf32>
    %alloc_200 = memref.alloc() {alignment = 64 : i64} : memref<1x4x4x128xf32>
    linalg.generic {indexing_maps = [#map1, #map2, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_191, %expand_shape_194, %expand_shape_197, %expand_shape_198, %expand_shape_196, %expand_shape_199 : memref<1x4x4x128xf32>, memref<1x1x1x128xf32>, memref<1x1x1x128xf32>, memref<1x1x1x128xf32>, memref<1x1x1x128xf32>, memref<1x1x1x128xf32>) outs(%alloc_200 : memref<1x4x4x128xf32>) {
    ^bb0(%in: f32, %in_466: f32, %in_467: f32, %in_468: f32, %in_469: f32, %in_470: f32, %out: f32):
      %0 = arith.addf %in_467, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_468 : f32
      %3 = arith.mulf %in_469, %2 : f32
      %4 = arith.addf %3, %in_470 : f32
      %5 = arith.addf %in, %in_466 : f32
      %6 = arith.mulf %5, %2 : f32
      %7 = arith.addf %6, %4 : f32
      %8 = arith.maximumf %7, %cst : f32
      linalg.yield %8 : f32
    }
    %alloc_201 = memref.alloc() {alignment = 64 : i64} : memref<1x4x4x512xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_201 : memref<1x4x4x512xf32>)
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_200, %arg92 : memref<1x4x4x128xf32>, memref<1x1x128x512xf32>) outs(%alloc_201 : memref<1x4x4x512xf32>)
    %expand_shape_202 = memref.expand_shape %arg93 [[0, 1, 2, 3]] output_shape [1, 1, 1, 512] : memref<512xf32> into memref<1x1x1x512xf32>
    %alloc_203 = memref.alloc() {alignment = 64 : i64} : memref<512xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg260 : memref<512xf32>) outs(%alloc_203 : memref<512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_204 = memref.expand_shape %alloc_203 [[0, 1, 2, 3]] output_shape [1, 1, 1, 512] : memref<512xf32> into memref<1x1x1x512xf32>
    %expand_shape_205 = memref.expand_shape %arg261 [[0, 1, 2, 3]] output_shape [1, 1, 1, 512] : memref<512xf32> into memref<1x1x1x512xf32>
    %expand_shape_206 = memref.expand_shape %arg94 [[0, 1, 2, 3]] output_shape [1, 1, 1, 512] : memref<512xf32> into memref<1x1x1x512xf32>
    %expand_shape_207 = memref.expand_shape %arg95 [[0, 1, 2, 3]] output_shape [1, 1, 1, 512] : memref<512xf32> into memref<1x1x1x512xf32>
    %alloc_208 = memref.alloc() {alignment = 64 : i64} : memref<1x4x4x512xf32>
    linalg.generic {indexing_maps = [#map1, #map1, #map2, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_182, %alloc_201, %expand_shape_202, %expand_shape_205, %expand_shape_206, %expand_shape_204, %expand_shape_207 : memref<1x4x4x512xf32>, memref<1x4x4x512xf32>, memref<1x1x1x512xf32>, memref<1x1x1x512xf32>, memref<1x1x1x512xf32>, memref<1x1x1x512xf32>, memref<1x1x1x512xf32>) outs(%alloc_208 : memref<1x4x4x512xf32>) {
    ^bb0(%in: f32, %in_466: f32, %in_467: f32, %in_468: f32, %in_469: f32, %in_470: f32, %in_471: f32, %out: f32):
      %0 = arith.addf %in_468, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_469 : f32
      %3 = arith.mulf %in_470, %2 : f32
      %4 = arith.addf %3, %in_471 : f32
      %5 = arith.addf %in_466, %in_467 : f32
      %6 = arith.mulf %5, %2 : f32
      %7 = arith.addf %6, %4 : f32
      %8 = arith.addf %in, %7 : f32
      %9 = arith.maximumf %8, %cst : f32
      linalg.yield %9 : f32
    }
    %alloc_209 = memref.alloc() {alignment = 64 : i64} : memref<1x2x2x256xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_209 : memref<1x2x2x256xf32>)
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%alloc_208, %arg96 : memref<1x4x4x512xf32>, memref<1x1x512x256xf32>) outs(%alloc_209 : memref<1x2x2x256xf32>)
    %expand_shape_210 = memref.expand_shape %arg97 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : memref<256xf32> into memref<1x1x1x256xf32>
    %alloc_211 = memref.alloc() {alignment = 64 : i64} : memref<256xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg262 : memref<256xf32>) outs(%alloc_211 : memref<256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_212 = memref.expand_shape %alloc_211 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : memref<256xf32> into memref<1x1x1x256xf32>
    %expand_shape_213 = memref.expand_shape %arg263 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : memref<256xf32> into memref<1x1x1x256xf32>
    %expand_shape_214 = memref.expand_shape %arg98 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : memref<256xf32> into memref<1x1x1x256xf32>
    %expand_shape_215 = memref.expand_shape %arg99 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : memref<256xf32> into memref<1x1x1x256xf32>
    %alloc_216 = memref.alloc() {alignment = 64 : i64} : memref<1x2x2x256xf32>
    linalg.generic {indexing_maps = [#map1, #map2, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_209, %expand_shape_210, %expand_shape_213, %expand_shape_214, %expand_shape_212, %expand_shape_215 : memref<1x2x2x256xf32>, memref<1x1x1x256xf32>, memref<1x1x1x256xf32>, memref<1x1x1x256xf32>, memref<1x1x1x256xf32>, memref<1x1x1x256xf32>) outs(%alloc_216 : memref<1x2x2x256xf32>) {
    ^bb0(%in: f32, %in_466: f32, %in_467: f32, %in_468: f32, %in_469: f32, %in_470: f32, %out: f32):
      %0 = arith.addf %in_467, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_468 : f32
      %3 = arith.mulf %in_469, %2 : f32
      %4 = arith.addf %3, %in_470 : f32
      %5 = arith.addf %in, %in_466 : f32
      %6 = arith.mulf %5, %2 : f32
      %7 = arith.addf %6, %4 : f32
      %8 = arith.maximumf %7, %cst : f32
      linalg.yield %8 : f32
    }
    %alloc_217 = memref.alloc() {alignment = 64 : i64} : memref<1x2x2x256xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_217 : memref<1x2x2x256xf32>)
    %alloc_218 = memref.alloc() {alignment = 64 : i64} : memref<1x4x4x256xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_218 : memref<1x4x4x256xf32>)
    %subview_219 = memref.subview %alloc_218[0, 1, 1, 0] [1, 2, 2, 256] [1, 1, 1, 1] : memref<1x4x4x256xf32> to memref<1x2x2x256xf32, strided<[4096, 1024, 256, 1], offset: 1280>>
    memref.copy %alloc_216, %subview_219 : memref<1x2x2x256xf32> to memref<1x2x2x256xf32, strided<[4096, 1024, 256, 1], offset: 1280>>
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_218, %arg100 : memref<1x4x4x256xf32>, memref<3x3x256x256xf32>) outs(%alloc_217 : memref<1x2x2x256xf32>)
    %expand_shape_220 = memref.expand_shape %arg101 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : memref<256xf32> into memref<1x1x1x256xf32>
    %alloc_221 = memref.alloc() {alignment = 64 : i64} : memref<256xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg264 : memref<256xf32>) outs(%alloc_221 : memref<256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_222 = memref.expand_shape %alloc_221 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : memref<256xf32> into memref<1x1x1x256xf32>
    %expand_shape_223 = memref.expand_shape %arg265 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : memref<256xf32> into memref<1x1x1x256xf32>
    %expand_shape_224 = memref.expand_shape %arg102 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : memref<256xf32> into memref<1x1x1x256xf32>
    %expand_shape_225 = memref.expand_shape %arg103 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : memref<256xf32> into memref<1x1x1x256xf32>
    %alloc_226 = memref.alloc() {alignment = 64 : i64} : memref<1x2x2x256xf32>
    linalg.generic {indexing_maps = [#map1, #map2, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_217, %expand_shape_220, %expand_shape_223, %expand_shape_224, %expand_shape_222, %expand_shape_225 : memref<1x2x2x256xf32>, memref<1x1x1x256xf32>, memref<1x1x1x256xf32>, memref<1x1x1x256xf32>, memref<1x1x1x256xf32>, memref<1x1x1x256xf32>) outs(%alloc_226 : memref<1x2x2x256xf32>) {
    ^bb0(%in: f32, %in_466: f32, %in_467: f32, %in_468: f32, %in_469: f32, %in_470: f32, %out: f32):
      %0 = arith.addf %in_467, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_468 : f32
      %3 = arith.mulf %in_469, %2 : f32
      %4 = arith.addf %3, %in_470 : f32
      %5 = arith.addf %in, %in_466 : f32
      %6 = arith.mulf %5, %2 : f32
      %7 = arith.addf %6, %4 : f32
      %8 = arith.maximumf %7, %cst : f32
      linalg.yield %8 : f32
    }
    %alloc_227 = memref.alloc() {alignment = 64 : i64} : memref<1x2x2x1024xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_227 : memref<1x2x2x1024xf32>)
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_226, %arg106 : memref<1x2x2x256xf32>, memref<1x1x256x1024xf32>) outs(%alloc_227 : memref<1x2x2x1024xf32>)
    %expand_shape_228 = memref.expand_shape %arg107 [[0, 1, 2, 3]] output_shape [1, 1, 1, 1024] : memref<1024xf32> into memref<1x1x1x1024xf32>
    %alloc_229 = memref.alloc() {alignment = 64 : i64} : memref<1x2x2x1024xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_229 : memref<1x2x2x1024xf32>)
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%alloc_208, %arg104 : memref<1x4x4x512xf32>, memref<1x1x512x1024xf32>) outs(%alloc_229 : memref<1x2x2x1024xf32>)
    %expand_shape_230 = memref.expand_shape %arg105 [[0, 1, 2, 3]] output_shape [1, 1, 1, 1024] : memref<1024xf32> into memref<1x1x1x1024xf32>
    %alloc_231 = memref.alloc() {alignment = 64 : i64} : memref<1024xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg266 : memref<1024xf32>) outs(%alloc_231 : memref<1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_232 = memref.expand_shape %alloc_231 [[0, 1, 2, 3]] output_shape [1, 1, 1, 1024] : memref<1024xf32> into memref<1x1x1x1024xf32>
    %expand_shape_233 = memref.expand_shape %arg267 [[0, 1, 2, 3]] output_shape [1, 1, 1, 1024] : memref<1024xf32> into memref<1x1x1x1024xf32>
    %expand_shape_234 = memref.expand_shape %arg108 [[0, 1, 2, 3]] output_shape [1, 1, 1, 1024] : memref<1024xf32> into memref<1x1x1x1024xf32>
    %expand_shape_235 = memref.expand_shape %arg109 [[0, 1, 2, 3]] output_shape [1, 1, 1, 1024] : memref<1024xf32> into memref<1x1x1x1024xf32>
    %alloc_236 = memref.alloc() {alignment = 64 : i64} : memref<1024xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg268 : memref<1024xf32>) outs(%alloc_236 : memref<1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_237 = memref.expand_shape %alloc_236 [[0, 1, 2, 3]] output_shape [1, 1, 1, 1024] : memref<1024xf32> into memref<1x1x1x1024xf32>
    %expand_shape_238 = memref.expand_shape %arg269 [[0, 1, 2, 3]] output_shape [1, 1, 1, 1024] : memref<1024xf32> into memref<1x1x1x1024xf32>
    %expand_shape_239 = memref.expand_shape %arg110 [[0, 1, 2, 3]] output_shape [1, 1, 1, 1024] : memref<1024xf32> into memref<1x1x1x1024xf32>
    %expand_shape_240 = memref.expand_shape %arg111 [[0, 1, 2, 3]] output_shape [1, 1, 1, 1024] : memref<1024xf32> into memref<1x1x1x1024xf32>
    %alloc_241 = memref.alloc() {alignment = 64 : i64} : memref<1x2x2x1024xf32>
    linalg.generic {indexing_maps = [#map1, #map2, #map2, #map2, #map2, #map2, #map1, #map2, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_229, %expand_shape_230, %expand_shape_233, %expand_shape_234, %expand_shape_232, %expand_shape_235, %alloc_227, %expand_shape_228, %expand_shape_238, %expand_shape_239, %expand_shape_237, %expand_shape_240 : memref<1x2x2x1024xf32>, memref<1x1x1x1024xf32>, memref<1x1x1x1024xf32>, memref<1x1x1x1024xf32>, memref<1x1x1x1024xf32>, memref<1x1x1x1024xf32>, memref<1x2x2x1024xf32>, memref<1x1x1x1024xf32>, memref<1x1x1x1024xf32>, memref<1x1x1x1024xf32>, memref<1x1x1x1024xf32>, memref<1x1x1x1024xf32>) outs(%alloc_241 : memref<1x2x2x1024xf32>) {
    ^bb0(%in: f32, %in_466: f32, %in_467: f32, %in_468: f32, %in_469: f32, %in_470: f32, %in_471: f32, %in_472: f32, %in_473: f32, %in_474: f32, %in_475: f32, %in_476: f32, %out: f32):
      %0 = arith.addf %in_467, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_468 : f32
      %3 = arith.mulf %in_469, %2 : f32
      %4 = arith.addf %in_473, %cst_0 : f32
      %5 = arith.addf %3, %in_470 : f32
      %6 = arith.addf %in, %in_466 : f32
      %7 = arith.mulf %6, %2 : f32
      %8 = math.rsqrt %4 : f32
      %9 = arith.mulf %8, %in_474 : f32
      %10 = arith.mulf %in_475, %9 : f32
      %11 = arith.addf %10, %in_476 : f32
      %12 = arith.addf %in_471, %in_472 : f32
      %13 = arith.mulf %12, %9 : f32
      %14 = arith.addf %13, %11 : f32
      %15 = arith.addf %7, %5 : f32
      %16 = arith.addf %15, %14 : f32
      %17 = arith.maximumf %16, %cst : f32
      linalg.yield %17 : f32
    }
    %alloc_242 = memref.alloc() {alignment = 64 : i64} : memref<1x2x2x256xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_242 : memref<1x2x2x256xf32>)
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_241, %arg112 : memref<1x2x2x1024xf32>, memref<1x1x1024x256xf32>) outs(%alloc_242 : memref<1x2x2x256xf32>)
    %expand_shape_243 = memref.expand_shape %arg113 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : memref<256xf32> into memref<1x1x1x256xf32>
    %alloc_244 = memref.alloc() {alignment = 64 : i64} : memref<256xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg270 : memref<256xf32>) outs(%alloc_244 : memref<256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_245 = memref.expand_shape %alloc_244 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : memref<256xf32> into memref<1x1x1x256xf32>
    %expand_shape_246 = memref.expand_shape %arg271 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : memref<256xf32> into memref<1x1x1x256xf32>
    %expand_shape_247 = memref.expand_shape %arg114 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : memref<256xf32> into memref<1x1x1x256xf32>
    %expand_shape_248 = memref.expand_shape %arg115 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : memref<256xf32> into memref<1x1x1x256xf32>
    %alloc_249 = memref.alloc() {alignment = 64 : i64} : memref<1x2x2x256xf32>
    linalg.generic {indexing_maps = [#map1, #map2, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_242, %expand_shape_243, %expand_shape_246, %expand_shape_247, %expand_shape_245, %expand_shape_248 : memref<1x2x2x256xf32>, memref<1x1x1x256xf32>, memref<1x1x1x256xf32>, memref<1x1x1x256xf32>, memref<1x1x1x256xf32>, memref<1x1x1x256xf32>) outs(%alloc_249 : memref<1x2x2x256xf32>) {
    ^bb0(%in: f32, %in_466: f32, %in_467: f32, %in_468: f32, %in_469: f32, %in_470: f32, %out: f32):
      %0 = arith.addf %in_467, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_468 : f32
      %3 = arith.mulf %in_469, %2 : f32
      %4 = arith.addf %3, %in_470 : f32
      %5 = arith.addf %in, %in_466 : f32
      %6 = arith.mulf %5, %2 : f32
      %7 = arith.addf %6, %4 : f32
      %8 = arith.maximumf %7, %cst : f32
      linalg.yield %8 : f32
    }
    %alloc_250 = memref.alloc() {alignment = 64 : i64} : memref<1x2x2x256xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_250 : memref<1x2x2x256xf32>)
    %alloc_251 = memref.alloc() {alignment = 64 : i64} : memref<1x4x4x256xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_251 : memref<1x4x4x256xf32>)
    %subview_252 = memref.subview %alloc_251[0, 1, 1, 0] [1, 2, 2, 256] [1, 1, 1, 1] : memref<1x4x4x256xf32> to memref<1x2x2x256xf32, strided<[4096, 1024, 256, 1], offset: 1280>>
    memref.copy %alloc_249, %subview_252 : memref<1x2x2x256xf32> to memref<1x2x2x256xf32, strided<[4096, 1024, 256, 1], offset: 1280>>
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_251, %arg116 : memref<1x4x4x256xf32>, memref<3x3x256x256xf32>) outs(%alloc_250 : memref<1x2x2x256xf32>)
    %expand_shape_253 = memref.expand_shape %arg117 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : memref<256xf32> into memref<1x1x1x256xf32>
    %alloc_254 = memref.alloc() {alignment = 64 : i64} : memref<256xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg272 : memref<256xf32>) outs(%alloc_254 : memref<256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_255 = memref.expand_shape %alloc_254 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : memref<256xf32> into memref<1x1x1x256xf32>
    %expand_shape_256 = memref.expand_shape %arg273 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : memref<256xf32> into memref<1x1x1x256xf32>
    %expand_shape_257 = memref.expand_shape %arg118 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : memref<256xf32> into memref<1x1x1x256xf32>
    %expand_shape_258 = memref.expand_shape %arg119 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : memref<256xf32> into memref<1x1x1x256xf32>
    %alloc_259 = memref.alloc() {alignment = 64 : i64} : memref<1x2x2x256xf32>
    linalg.generic {indexing_maps = [#map1, #map2, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_250, %expand_shape_253, %expand_shape_256, %expand_shape_257, %expand_shape_255, %expand_shape_258 : memref<1x2x2x256xf32>, memref<1x1x1x256xf32>, memref<1x1x1x256xf32>, memref<1x1x1x256xf32>, memref<1x1x1x256xf32>, memref<1x1x1x256xf32>) outs(%alloc_259 : memref<1x2x2x256xf32>) {
    ^bb0(%in: f32, %in_466: f32, %in_467: f32, %in_468: f32, %in_469: f32, %in_470: f32, %out: f32):
      %0 = arith.addf %in_467, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_468 : f32
      %3 = arith.mulf %in_469, %2 : f32
      %4 = arith.addf %3, %in_470 : f32
      %5 = arith.addf %in, %in_466 : f32
      %6 = arith.mulf %5, %2 : f32
      %7 = arith.addf %6, %4 : f32
      %8 = arith.maximumf %7, %cst : f32
      linalg.yield %8 : f32
    }
    %alloc_260 = memref.alloc() {alignment = 64 : i64} : memref<1x2x2x1024xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_260 : memref<1x2x2x1024xf32>)
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_259, %arg120 : memref<1x2x2x256xf32>, memref<1x1x256x1024xf32>) outs(%alloc_260 : memref<1x2x2x1024xf32>)
    %expand_shape_261 = memref.expand_shape %arg121 [[0, 1, 2, 3]] output_shape [1, 1, 1, 1024] : memref<1024xf32> into memref<1x1x1x1024xf32>
    %alloc_262 = memref.alloc() {alignment = 64 : i64} : memref<1024xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg274 : memref<1024xf32>) outs(%alloc_262 : memref<1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_263 = memref.expand_shape %alloc_262 [[0, 1, 2, 3]] output_shape [1, 1, 1, 1024] : memref<1024xf32> into memref<1x1x1x1024xf32>
    %expand_shape_264 = memref.expand_shape %arg275 [[0, 1, 2, 3]] output_shape [1, 1, 1, 1024] : memref<1024xf32> into memref<1x1x1x1024xf32>
    %expand_shape_265 = memref.expand_shape %arg122 [[0, 1, 2, 3]] output_shape [1, 1, 1, 1024] : memref<1024xf32> into memref<1x1x1x1024xf32>
    %expand_shape_266 = memref.expand_shape %arg123 [[0, 1, 2, 3]] output_shape [1, 1, 1, 1024] : memref<1024xf32> into memref<1x1x1x1024xf32>
    %alloc_267 = memref.alloc() {alignment = 64 : i64} : memref<1x2x2x1024xf32>
    linalg.generic {indexing_maps = [#map1, #map1, #map2, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_241, %alloc_260, %expand_shape_261, %expand_shape_264, %expand_shape_265, %expand_shape_263, %expand_shape_266 : memref<1x2x2x1024xf32>, memref<1x2x2x1024xf32>, memref<1x1x1x1024xf32>, memref<1x1x1x1024xf32>, memref<1x1x1x1024xf32>, memref<1x1x1x1024xf32>, memref<1x1x1x1024xf32>) outs(%alloc_267 : memref<1x2x2x1024xf32>) {
    ^bb0(%in: f32, %in_466: f32, %in_467: f32, %in_468: f32, %in_469: f32, %in_470: f32, %in_471: f32, %out: f32):
      %0 = arith.addf %in_468, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_469 : f32
      %3 = arith.mulf %in_470, %2 : f32
      %4 = arith.addf %3, %in_471 : f32
      %5 = arith.addf %in_466, %in_467 : f32
      %6 = arith.mulf %5, %2 : f32
      %7 = arith.addf %6, %4 : f32
      %8 = arith.addf %in, %7 : f32
      %9 = arith.maximumf %8, %cst : f32
      linalg.yield %9 : f32
    }
    %alloc_268 = memref.alloc() {alignment = 64 : i64} : memref<1x2x2x256xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_268 : memref<1x2x2x256xf32>)
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_267, %arg124 : memref<1x2x2x1024xf32>, memref<1x1x1024x256xf32>) outs(%alloc_268 : memref<1x2x2x256xf32>)
    %expand_shape_269 = memref.expand_shape %arg125 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : memref<256xf32> into memref<1x1x1x256xf32>
    %alloc_270 = memref.alloc() {alignment = 64 : i64} : memref<256xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg276 : memref<256xf32>) outs(%alloc_270 : memref<256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_271 = memref.expand_shape %alloc_270 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : memref<256xf32> into memref<1x1x1x256xf32>
    %expand_shape_272 = memref.expand_shape %arg277 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : memref<256xf32> into memref<1x1x1x256xf32>
    %expand_shape_273 = memref.expand_shape %arg126 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : memref<256xf32> into memref<1x1x1x256xf32>
    %expand_shape_274 = memref.expand_shape %arg127 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : memref<256xf32> into memref<1x1x1x256xf32>
    %alloc_275 = memref.alloc() {alignment = 64 : i64} : memref<1x2x2x256xf32>
    linalg.generic {indexing_maps = [#map1, #map2, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_268, %expand_shape_269, %expand_shape_272, %expand_shape_273, %expand_shape_271, %expand_shape_274 : memref<1x2x2x256xf32>, memref<1x1x1x256xf32>, memref<1x1x1x256xf32>, memref<1x1x1x256xf32>, memref<1x1x1x256xf32>, memref<1x1x1x256xf32>) outs(%alloc_275 : memref<1x2x2x256xf32>) {
    ^bb0(%in: f32, %in_466: f32, %in_467: f32, %in_468: f32, %in_469: f32, %in_470: f32, %out: f32):
      %0 = arith.addf %in_467, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_468 : f32
      %3 = arith.mulf %in_469, %2 : f32
      %4 = arith.addf %3, %in_470 : f32
      %5 = arith.addf %in, %in_466 : f32
      %6 = arith.mulf %5, %2 : f32
      %7 = arith.addf %6, %4 : f32
      %8 = arith.maximumf %7, %cst : f32
      linalg.yield %8 : f32
    }
    %alloc_276 = memref.alloc() {alignment = 64 : i64} : memref<1x2x2x256xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_276 : memref<1x2x2x256xf32>)
    %alloc_277 = memref.alloc() {alignment = 64 : i64} : memref<1x4x4x256xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_277 : memref<1x4x4x256xf32>)
    %subview_278 = memref.subview %alloc_277[0, 1, 1, 0] [1, 2, 2, 256] [1, 1, 1, 1] : memref<1x4x4x256xf32> to memref<1x2x2x256xf32, strided<[4096, 1024, 256, 1], offset: 1280>>
    memref.copy %alloc_275, %subview_278 : memref<1x2x2x256xf32> to memref<1x2x2x256xf32, strided<[4096, 1024, 256, 1], offset: 1280>>
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_277, %arg128 : memref<1x4x4x256xf32>, memref<3x3x256x256xf32>) outs(%alloc_276 : memref<1x2x2x256xf32>)
    %expand_shape_279 = memref.expand_shape %arg129 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : memref<256xf32> into memref<1x1x1x256xf32>
    %alloc_280 = memref.alloc() {alignment = 64 : i64} : memref<256xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg278 : memref<256xf32>) outs(%alloc_280 : memref<256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_281 = memref.expand_shape %alloc_280 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : memref<256xf32> into memref<1x1x1x256xf32>
    %expand_shape_282 = memref.expand_shape %arg279 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : memref<256xf32> into memref<1x1x1x256xf32>
    %expand_shape_283 = memref.expand_shape %arg130 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : memref<256xf32> into memref<1x1x1x256xf32>
    %expand_shape_284 = memref.expand_shape %arg131 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : memref<256xf32> into memref<1x1x1x256xf32>
    %alloc_285 = memref.alloc() {alignment = 64 : i64} : memref<1x2x2x256xf32>
    linalg.generic {indexing_maps = [#map1, #map2, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_276, %expand_shape_279, %expand_shape_282, %expand_shape_283, %expand_shape_281, %expand_shape_284 : memref<1x2x2x256xf32>, memref<1x1x1x256xf32>, memref<1x1x1x256xf32>, memref<1x1x1x256xf32>, memref<1x1x1x256xf32>, memref<1x1x1x256xf32>) outs(%alloc_285 : memref<1x2x2x256xf32>) {
    ^bb0(%in: f32, %in_466: f32, %in_467: f32, %in_468: f32, %in_469: f32, %in_470: f32, %out: f32):
      %0 = arith.addf %in_467, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_468 : f32
      %3 = arith.mulf %in_469, %2 : f32
      %4 = arith.addf %3, %in_470 : f32
      %5 = arith.addf %in, %in_466 : f32
      %6 = arith.mulf %5, %2 : f32
      %7 = arith.addf %6, %4 : f32
      %8 = arith.maximumf %7, %cst : f32
      linalg.yield %8 : f32
    }
    %alloc_286 = memref.alloc() {alignment = 64 : i64} : memref<1x2x2x1024xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_286 : memref<1x2x2x1024xf32>)
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_285, %arg132 : memref<1x2x2x256xf32>, memref<1x1x256x1024xf32>) outs(%alloc_286 : memref<1x2x2x1024xf32>)
    %expand_shape_287 = memref.expand_shape %arg133 [[0, 1, 2, 3]] output_shape [1, 1, 1, 1024] : memref<1024xf32> into memref<1x1x1x1024xf32>
    %alloc_288 = memref.alloc() {alignment = 64 : i64} : memref<1024xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg280 : memref<1024xf32>) outs(%alloc_288 : memref<1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_289 = memref.expand_shape %alloc_288 [[0, 1, 2, 3]] output_shape [1, 1, 1, 1024] : memref<1024xf32> into memref<1x1x1x1024xf32>
    %expand_shape_290 = memref.expand_shape %arg281 [[0, 1, 2, 3]] output_shape [1, 1, 1, 1024] : memref<1024xf32> into memref<1x1x1x1024xf32>
    %expand_shape_291 = memref.expand_shape %arg134 [[0, 1, 2, 3]] output_shape [1, 1, 1, 1024] : memref<1024xf32> into memref<1x1x1x1024xf32>
    %expand_shape_292 = memref.expand_shape %arg135 [[0, 1, 2, 3]] output_shape [1, 1, 1, 1024] : memref<1024xf32> into memref<1x1x1x1024xf32>
    %alloc_293 = memref.alloc() {alignment = 64 : i64} : memref<1x2x2x1024xf32>
    linalg.generic {indexing_maps = [#map1, #map1, #map2, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_267, %alloc_286, %expand_shape_287, %expand_shape_290, %expand_shape_291, %expand_shape_289, %expand_shape_292 : memref<1x2x2x1024xf32>, memref<1x2x2x1024xf32>, memref<1x1x1x1024xf32>, memref<1x1x1x1024xf32>, memref<1x1x1x1024xf32>, memref<1x1x1x1024xf32>, memref<1x1x1x1024xf32>) outs(%alloc_293 : memref<1x2x2x1024xf32>) {
    ^bb0(%in: f32, %in_466: f32, %in_467: f32, %in_468: f32, %in_469: f32, %in_470: f32, %in_471: f32, %out: f32):
      %0 = arith.addf %in_468, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_469 : f32
      %3 = arith.mulf %in_470, %2 : f32
      %4 = arith.addf %3, %in_471 : f32
      %5 = arith.addf %in_466, %in_467 : f32
      %6 = arith.mulf %5, %2 : f32
      %7 = arith.addf %6, %4 : f32
      %8 = arith.addf %in, %7 : f32
      %9 = arith.maximumf %8, %cst : f32
      linalg.yield %9 : f32
    }
    %alloc_294 = memref.alloc() {alignment = 64 : i64} : memref<1x2x2x256xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_294 : memref<1x2x2x256xf32>)
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_293, %arg136 : memref<1x2x2x1024xf32>, memref<1x1x1024x256xf32>) outs(%alloc_294 : memref<1x2x2x256xf32>)
    %expand_shape_295 = memref.expand_shape %arg137 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : memref<256xf32> into memref<1x1x1x256xf32>
    %alloc_296 = memref.alloc() {alignment = 64 : i64} : memref<256xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg282 : memref<256xf32>) outs(%alloc_296 : memref<256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_297 = memref.expand_shape %alloc_296 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : memref<256xf32> into memref<1x1x1x256xf32>
    %expand_shape_298 = memref.expand_shape %arg283 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : memref<256xf32> into memref<1x1x1x256xf32>
    %expand_shape_299 = memref.expand_shape %arg138 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : memref<256xf32> into memref<1x1x1x256xf32>
    %expand_shape_300 = memref.expand_shape %arg139 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : memref<256xf32> into memref<1x1x1x256xf32>
    %alloc_301 = memref.alloc() {alignment = 64 : i64} : memref<1x2x2x256xf32>
    linalg.generic {indexing_maps = [#map1, #map2, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_294, %expand_shape_295, %expand_shape_298, %expand_shape_299, %expand_shape_297, %expand_shape_300 : memref<1x2x2x256xf32>, memref<1x1x1x256xf32>, memref<1x1x1x256xf32>, memref<1x1x1x256xf32>, memref<1x1x1x256xf32>, memref<1x1x1x256xf32>) outs(%alloc_301 : memref<1x2x2x256xf32>) {
    ^bb0(%in: f32, %in_466: f32, %in_467: f32, %in_468: f32, %in_469: f32, %in_470: f32, %out: f32):
      %0 = arith.addf %in_467, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_468 : f32
      %3 = arith.mulf %in_469, %2 : f32
      %4 = arith.addf %3, %in_470 : f32
      %5 = arith.addf %in, %in_466 : f32
      %6 = arith.mulf %5, %2 : f32
      %7 = arith.addf %6, %4 : f32
      %8 = arith.maximumf %7, %cst : f32
      linalg.yield %8 : f32
    }
    %alloc_302 = memref.alloc() {alignment = 64 : i64} : memref<1x2x2x256xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_302 : memref<1x2x2x256xf32>)
    %alloc_303 = memref.alloc() {alignment = 64 : i64} : memref<1x4x4x256xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_303 : memref<1x4x4x256xf32>)
    %subview_304 = memref.subview %alloc_303[0, 1, 1, 0] [1, 2, 2, 256] [1, 1, 1, 1] : memref<1x4x4x256xf32> to memref<1x2x2x256xf32, strided<[4096, 1024, 256, 1], offset: 1280>>
    memref.copy %alloc_301, %subview_304 : memref<1x2x2x256xf32> to memref<1x2x2x256xf32, strided<[4096, 1024, 256, 1], offset: 1280>>
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_303, %arg140 : memref<1x4x4x256xf32>, memref<3x3x256x256xf32>) outs(%alloc_302 : memref<1x2x2x256xf32>)
    %expand_shape_305 = memref.expand_shape %arg141 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : memref<256xf32> into memref<1x1x1x256xf32>
    %alloc_306 = memref.alloc() {alignment = 64 : i64} : memref<256xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg284 : memref<256xf32>) outs(%alloc_306 : memref<256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_307 = memref.expand_shape %alloc_306 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : memref<256xf32> into memref<1x1x1x256xf32>
    %expand_shape_308 = memref.expand_shape %arg285 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : memref<256xf32> into memref<1x1x1x256xf32>
    %expand_shape_309 = memref.expand_shape %arg142 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : memref<256xf32> into memref<1x1x1x256xf32>
    %expand_shape_310 = memref.expand_shape %arg143 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : memref<256xf32> into memref<1x1x1x256xf32>
    %alloc_311 = memref.alloc() {alignment = 64 : i64} : memref<1x2x2x256xf32>
    linalg.generic {indexing_maps = [#map1, #map2, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_302, %expand_shape_305, %expand_shape_308, %expand_shape_309, %expand_shape_307, %expand_shape_310 : memref<1x2x2x256xf32>, memref<1x1x1x256xf32>, memref<1x1x1x256xf32>, memref<1x1x1x256xf32>, memref<1x1x1x256xf32>, memref<1x1x1x256xf32>) outs(%alloc_311 : memref<1x2x2x256xf32>) {
    ^bb0(%in: f32, %in_466: f32, %in_467: f32, %in_468: f32, %in_469: f32, %in_470: f32, %out: f32):
      %0 = arith.addf %in_467, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_468 : f32
      %3 = arith.mulf %in_469, %2 : f32
      %4 = arith.addf %3, %in_470 : f32
      %5 = arith.addf %in, %in_466 : f32
      %6 = arith.mulf %5, %2 : f32
      %7 = arith.addf %6, %4 : f32
      %8 = arith.maximumf %7, %cst : f32
      linalg.yield %8 : f32
    }
    %alloc_312 = memref.alloc() {alignment = 64 : i64} : memref<1x2x2x1024xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_312 : memref<1x2x2x1024xf32>)
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_311, %arg144 : memref<1x2x2x256xf32>, memref<1x1x256x1024xf32>) outs(%alloc_312 : memref<1x2x2x1024xf32>)
    %expand_shape_313 = memref.expand_shape %arg145 [[0, 1, 2, 3]] output_shape [1, 1, 1, 1024] : memref<1024xf32> into memref<1x1x1x1024xf32>
    %alloc_314 = memref.alloc() {alignment = 64 : i64} : memref<1024xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg286 : memref<1024xf32>) outs(%alloc_314 : memref<1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_315 = memref.expand_shape %alloc_314 [[0, 1, 2, 3]] output_shape [1, 1, 1, 1024] : memref<1024xf32> into memref<1x1x1x1024xf32>
    %expand_shape_316 = memref.expand_shape %arg287 [[0, 1, 2, 3]] output_shape [1, 1, 1, 1024] : memref<1024xf32> into memref<1x1x1x1024xf32>
    %expand_shape_317 = memref.expand_shape %arg146 [[0, 1, 2, 3]] output_shape [1, 1, 1, 1024] : memref<1024xf32> into memref<1x1x1x1024xf32>
    %expand_shape_318 = memref.expand_shape %arg147 [[0, 1, 2, 3]] output_shape [1, 1, 1, 1024] : memref<1024xf32> into memref<1x1x1x1024xf32>
    %alloc_319 = memref.alloc() {alignment = 64 : i64} : memref<1x2x2x1024xf32>
    linalg.generic {indexing_maps = [#map1, #map1, #map2, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_293, %alloc_312, %expand_shape_313, %expand_shape_316, %expand_shape_317, %expand_shape_315, %expand_shape_318 : memref<1x2x2x1024xf32>, memref<1x2x2x1024xf32>, memref<1x1x1x1024xf32>, memref<1x1x1x1024xf32>, memref<1x1x1x1024xf32>, memref<1x1x1x1024xf32>, memref<1x1x1x1024xf32>) outs(%alloc_319 : memref<1x2x2x1024xf32>) {
    ^bb0(%in: f32, %in_466: f32, %in_467: f32, %in_468: f32, %in_469: f32, %in_470: f32, %in_471: f32, %out: f32):
      %0 = arith.addf %in_468, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_469 : f32
      %3 = arith.mulf %in_470, %2 : f32
      %4 = arith.addf %3, %in_471 : f32
      %5 = arith.addf %in_466, %in_467 : f32
      %6 = arith.mulf %5, %2 : f32
      %7 = arith.addf %6, %4 : f32
      %8 = arith.addf %in, %7 : f32
      %9 = arith.maximumf %8, %cst : f32
      linalg.yield %9 : f32
    }
    %alloc_320 = memref.alloc() {alignment = 64 : i64} : memref<1x2x2x256xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_320 : memref<1x2x2x256xf32>)
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_319, %arg148 : memref<1x2x2x1024xf32>, memref<1x1x1024x256xf32>) outs(%alloc_320 : memref<1x2x2x256xf32>)
    %expand_shape_321 = memref.expand_shape %arg149 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : memref<256xf32> into memref<1x1x1x256xf32>
    %alloc_322 = memref.alloc() {alignment = 64 : i64} : memref<256xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg288 : memref<256xf32>) outs(%alloc_322 : memref<256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_323 = memref.expand_shape %alloc_322 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : memref<256xf32> into memref<1x1x1x256xf32>
    %expand_shape_324 = memref.expand_shape %arg289 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : memref<256xf32> into memref<1x1x1x256xf32>
    %expand_shape_325 = memref.expand_shape %arg150 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : memref<256xf32> into memref<1x1x1x256xf32>
    %expand_shape_326 = memref.expand_shape %arg151 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : memref<256xf32> into memref<1x1x1x256xf32>
    %alloc_327 = memref.alloc() {alignment = 64 : i64} : memref<1x2x2x256xf32>
    linalg.generic {indexing_maps = [#map1, #map2, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_320, %expand_shape_321, %expand_shape_324, %expand_shape_325, %expand_shape_323, %expand_shape_326 : memref<1x2x2x256xf32>, memref<1x1x1x256xf32>, memref<1x1x1x256xf32>, memref<1x1x1x256xf32>, memref<1x1x1x256xf32>, memref<1x1x1x256xf32>) outs(%alloc_327 : memref<1x2x2x256xf32>) {
    ^bb0(%in: f32, %in_466: f32, %in_467: f32, %in_468: f32, %in_469: f32, %in_470: f32, %out: f32):
      %0 = arith.addf %in_467, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_468 : f32
      %3 = arith.mulf %in_469, %2 : f32
      %4 = arith.addf %3, %in_470 : f32
      %5 = arith.addf %in, %in_466 : f32
      %6 = arith.mulf %5, %2 : f32
      %7 = arith.addf %6, %4 : f32
      %8 = arith.maximumf %7, %cst : f32
      linalg.yield %8 : f32
    }
    %alloc_328 = memref.alloc() {alignment = 64 : i64} : memref<1x2x2x256xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_328 : memref<1x2x2x256xf32>)
    %alloc_329 = memref.alloc() {alignment = 64 : i64} : memref<1x4x4x256xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_329 : memref<1x4x4x256xf32>)
    %subview_330 = memref.subview %alloc_329[0, 1, 1, 0] [1, 2, 2, 256] [1, 1, 1, 1] : memref<1x4x4x256xf32> to memref<1x2x2x256xf32, strided<[4096, 1024, 256, 1], offset: 1280>>
    memref.copy %alloc_327, %subview_330 : memref<1x2x2x256xf32> to memref<1x2x2x256xf32, strided<[4096, 1024, 256, 1], offset: 1280>>
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_329, %arg152 : memref<1x4x4x256xf32>, memref<3x3x256x256xf32>) outs(%alloc_328 : memref<1x2x2x256xf32>)
    %expand_shape_331 = memref.expand_shape %arg153 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : memref<256xf32> into memref<1x1x1x256xf32>
    %alloc_332 = memref.alloc() {alignment = 64 : i64} : memref<256xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg290 : memref<256xf32>) outs(%alloc_332 : memref<256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_333 = memref.expand_shape %alloc_332 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : memref<256xf32> into memref<1x1x1x256xf32>
    %expand_shape_334 = memref.expand_shape %arg291 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : memref<256xf32> into memref<1x1x1x256xf32>
    %expand_shape_335 = memref.expand_shape %arg154 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : memref<256xf32> into memref<1x1x1x256xf32>
    %expand_shape_336 = memref.expand_shape %arg155 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : memref<256xf32> into memref<1x1x1x256xf32>
    %alloc_337 = memref.alloc() {alignment = 64 : i64} : memref<1x2x2x256xf32>
    linalg.generic {indexing_maps = [#map1, #map2, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_328, %expand_shape_331, %expand_shape_334, %expand_shape_335, %expand_shape_333, %expand_shape_336 : memref<1x2x2x256xf32>, memref<1x1x1x256xf32>, memref<1x1x1x256xf32>, memref<1x1x1x256xf32>, memref<1x1x1x256xf32>, memref<1x1x1x256xf32>) outs(%alloc_337 : memref<1x2x2x256xf32>) {
    ^bb0(%in: f32, %in_466: f32, %in_467: f32, %in_468: f32, %in_469: f32, %in_470: f32, %out: f32):
      %0 = arith.addf %in_467, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_468 : f32
      %3 = arith.mulf %in_469, %2 : f32
      %4 = arith.addf %3, %in_470 : f32
      %5 = arith.addf %in, %in_466 : f32
      %6 = arith.mulf %5, %2 : f32
      %7 = arith.addf %6, %4 : f32
      %8 = arith.maximumf %7, %cst : f32
      linalg.yield %8 : f32
    }
    %alloc_338 = memref.alloc() {alignment = 64 : i64} : memref<1x2x2x1024xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_338 : memref<1x2x2x1024xf32>)
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_337, %arg156 : memref<1x2x2x256xf32>, memref<1x1x256x1024xf32>) outs(%alloc_338 : memref<1x2x2x1024xf32>)
    %expand_shape_339 = memref.expand_shape %arg157 [[0, 1, 2, 3]] output_shape [1, 1, 1, 1024] : memref<1024xf32> into memref<1x1x1x1024xf32>
    %alloc_340 = memref.alloc() {alignment = 64 : i64} : memref<1024xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg292 : memref<1024xf32>) outs(%alloc_340 : memref<1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_341 = memref.expand_shape %alloc_340 [[0, 1, 2, 3]] output_shape [1, 1, 1, 1024] : memref<1024xf32> into memref<1x1x1x1024xf32>
    %expand_shape_342 = memref.expand_shape %arg293 [[0, 1, 2, 3]] output_shape [1, 1, 1, 1024] : memref<1024xf32> into memref<1x1x1x1024xf32>
    %expand_shape_343 = memref.expand_shape %arg158 [[0, 1, 2, 3]] output_shape [1, 1, 1, 1024] : memref<1024xf32> into memref<1x1x1x1024xf32>
    %expand_shape_344 = memref.expand_shape %arg159 [[0, 1, 2, 3]] output_shape [1, 1, 1, 1024] : memref<1024xf32> into memref<1x1x1x1024xf32>
    %alloc_345 = memref.alloc() {alignment = 64 : i64} : memref<1x2x2x1024xf32>
    linalg.generic {indexing_maps = [#map1, #map1, #map2, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_319, %alloc_338, %expand_shape_339, %expand_shape_342, %expand_shape_343, %expand_shape_341, %expand_shape_344 : memref<1x2x2x1024xf32>, memref<1x2x2x1024xf32>, memref<1x1x1x1024xf32>, memref<1x1x1x1024xf32>, memref<1x1x1x1024xf32>, memref<1x1x1x1024xf32>, memref<1x1x1x1024xf32>) outs(%alloc_345 : memref<1x2x2x1024xf32>) {
    ^bb0(%in: f32, %in_466: f32, %in_467: f32, %in_468: f32, %in_469: f32, %in_470: f32, %in_471: f32, %out: f32):
      %0 = arith.addf %in_468, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_469 : f32
      %3 = arith.mulf %in_470, %2 : f32
      %4 = arith.addf %3, %in_471 : f32
      %5 = arith.addf %in_466, %in_467 : f32
      %6 = arith.mulf %5, %2 : f32
      %7 = arith.addf %6, %4 : f32
      %8 = arith.addf %in, %7 : f32
      %9 = arith.maximumf %8, %cst : f32
      linalg.yield %9 : f32
    }
    %alloc_346 = memref.alloc() {alignment = 64 : i64} : memref<1x2x2x256xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_346 : memref<1x2x2x256xf32>)
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_345, %arg160 : memref<1x2x2x1024xf32>, memref<1x1x1024x256xf32>) outs(%alloc_346 : memref<1x2x2x256xf32>)
    %expand_shape_347 = memref.expand_shape %arg161 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : memref<256xf32> into memref<1x1x1x256xf32>
    %alloc_348 = memref.alloc() {alignment = 64 : i64} : memref<256xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg294 : memref<256xf32>) outs(%alloc_348 : memref<256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_349 = memref.expand_shape %alloc_348 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : memref<256xf32> into memref<1x1x1x256xf32>
    %expand_shape_350 = memref.expand_shape %arg295 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : memref<256xf32> into memref<1x1x1x256xf32>
    %expand_shape_351 = memref.expand_shape %arg162 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : memref<256xf32> into memref<1x1x1x256xf32>
    %expand_shape_352 = memref.expand_shape %arg163 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : memref<256xf32> into memref<1x1x1x256xf32>
    %alloc_353 = memref.alloc() {alignment = 64 : i64} : memref<1x2x2x256xf32>
    linalg.generic {indexing_maps = [#map1, #map2, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_346, %expand_shape_347, %expand_shape_350, %expand_shape_351, %expand_shape_349, %expand_shape_352 : memref<1x2x2x256xf32>, memref<1x1x1x256xf32>, memref<1x1x1x256xf32>, memref<1x1x1x256xf32>, memref<1x1x1x256xf32>, memref<1x1x1x256xf32>) outs(%alloc_353 : memref<1x2x2x256xf32>) {
    ^bb0(%in: f32, %in_466: f32, %in_467: f32, %in_468: f32, %in_469: f32, %in_470: f32, %out: f32):
      %0 = arith.addf %in_467, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_468 : f32
      %3 = arith.mulf %in_469, %2 : f32
      %4 = arith.addf %3, %in_470 : f32
      %5 = arith.addf %in, %in_466 : f32
      %6 = arith.mulf %5, %2 : f32
      %7 = arith.addf %6, %4 : f32
      %8 = arith.maximumf %7, %cst : f32
      linalg.yield %8 : f32
    }
    %alloc_354 = memref.alloc() {alignment = 64 : i64} : memref<1x2x2x256xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_354 : memref<1x2x2x256xf32>)
    %alloc_355 = memref.alloc() {alignment = 64 : i64} : memref<1x4x4x256xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_355 : memref<1x4x4x256xf32>)
    %subview_356 = memref.subview %alloc_355[0, 1, 1, 0] [1, 2, 2, 256] [1, 1, 1, 1] : memref<1x4x4x256xf32> to memref<1x2x2x256xf32, strided<[4096, 1024, 256, 1], offset: 1280>>
    memref.copy %alloc_353, %subview_356 : memref<1x2x2x256xf32> to memref<1x2x2x256xf32, strided<[4096, 1024, 256, 1], offset: 1280>>
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_355, %arg164 : memref<1x4x4x256xf32>, memref<3x3x256x256xf32>) outs(%alloc_354 : memref<1x2x2x256xf32>)
    %expand_shape_357 = memref.expand_shape %arg165 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : memref<256xf32> into memref<1x1x1x256xf32>
    %alloc_358 = memref.alloc() {alignment = 64 : i64} : memref<256xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg296 : memref<256xf32>) outs(%alloc_358 : memref<256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_359 = memref.expand_shape %alloc_358 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : memref<256xf32> into memref<1x1x1x256xf32>
    %expand_shape_360 = memref.expand_shape %arg297 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : memref<256xf32> into memref<1x1x1x256xf32>
    %expand_shape_361 = memref.expand_shape %arg166 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : memref<256xf32> into memref<1x1x1x256xf32>
    %expand_shape_362 = memref.expand_shape %arg167 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : memref<256xf32> into memref<1x1x1x256xf32>
    %alloc_363 = memref.alloc() {alignment = 64 : i64} : memref<1x2x2x256xf32>
    linalg.generic {indexing_maps = [#map1, #map2, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_354, %expand_shape_357, %expand_shape_360, %expand_shape_361, %expand_shape_359, %expand_shape_362 : memref<1x2x2x256xf32>, memref<1x1x1x256xf32>, memref<1x1x1x256xf32>, memref<1x1x1x256xf32>, memref<1x1x1x256xf32>, memref<1x1x1x256xf32>) outs(%alloc_363 : memref<1x2x2x256xf32>) {
    ^bb0(%in: f32, %in_466: f32, %in_467: f32, %in_468: f32, %in_469: f32, %in_470: f32, %out: f32):
      %0 = arith.addf %in_467, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_468 : f32
      %3 = arith.mulf %in_469, %2 : f32
      %4 = arith.addf %3, %in_470 : f32
      %5 = arith.addf %in, %in_466 : f32
      %6 = arith.mulf %5, %2 : f32
      %7 = arith.addf %6, %4 : f32
      %8 = arith.maximumf %7, %cst : f32
      linalg.yield %8 : f32
    }
    %alloc_364 = memref.alloc() {alignment = 64 : i64} : memref<1x2x2x1024xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_364 : memref<1x2x2x1024xf32>)
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_363, %arg168 : memref<1x2x2x256xf32>, memref<1x1x256x1024xf32>) outs(%alloc_364 : memref<1x2x2x1024xf32>)
    %expand_shape_365 = memref.expand_shape %arg169 [[0, 1, 2, 3]] output_shape [1, 1, 1, 1024] : memref<1024xf32> into memref<1x1x1x1024xf32>
    %alloc_366 = memref.alloc() {alignment = 64 : i64} : memref<1024xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg298 : memref<1024xf32>) outs(%alloc_366 : memref<1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_367 = memref.expand_shape %alloc_366 [[0, 1, 2, 3]] output_shape [1, 1, 1, 1024] : memref<1024xf32> into memref<1x1x1x1024xf32>
    %expand_shape_368 = memref.expand_shape %arg299 [[0, 1, 2, 3]] output_shape [1, 1, 1, 1024] : memref<1024xf32> into memref<1x1x1x1024xf32>
    %expand_shape_369 = memref.expand_shape %arg170 [[0, 1, 2, 3]] output_shape [1, 1, 1, 1024] : memref<1024xf32> into memref<1x1x1x1024xf32>
    %expand_shape_370 = memref.expand_shape %arg171 [[0, 1, 2, 3]] output_shape [1, 1, 1, 1024] : memref<1024xf32> into memref<1x1x1x1024xf32>
    %alloc_371 = memref.alloc() {alignment = 64 : i64} : memref<1x2x2x1024xf32>
    linalg.generic {indexing_maps = [#map1, #map1, #map2, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_345, %alloc_364, %expand_shape_365, %expand_shape_368, %expand_shape_369, %expand_shape_367, %expand_shape_370 : memref<1x2x2x1024xf32>, memref<1x2x2x1024xf32>, memref<1x1x1x1024xf32>, memref<1x1x1x1024xf32>, memref<1x1x1x1024xf32>, memref<1x1x1x1024xf32>, memref<1x1x1x1024xf32>) outs(%alloc_371 : memref<1x2x2x1024xf32>) {
    ^bb0(%in: f32, %in_466: f32, %in_467: f32, %in_468: f32, %in_469: f32, %in_470: f32, %in_471: f32, %out: f32):
      %0 = arith.addf %in_468, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_469 : f32
      %3 = arith.mulf %in_470, %2 : f32
      %4 = arith.addf %3, %in_471 : f32
      %5 = arith.addf %in_466, %in_467 : f32
      %6 = arith.mulf %5, %2 : f32
      %7 = arith.addf %6, %4 : f32
      %8 = arith.addf %in, %7 : f32
      %9 = arith.maximumf %8, %cst : f32
      linalg.yield %9 : f32
    }
    %alloc_372 = memref.alloc() {alignment = 64 : i64} : memref<1x1x1x512xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_372 : memref<1x1x1x512xf32>)
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%alloc_371, %arg172 : memref<1x2x2x1024xf32>, memref<1x1x1024x512xf32>) outs(%alloc_372 : memref<1x1x1x512xf32>)
    %expand_shape_373 = memref.expand_shape %arg173 [[0, 1, 2, 3]] output_shape [1, 1, 1, 512] : memref<512xf32> into memref<1x1x1x512xf32>
    %alloc_374 = memref.alloc() {alignment = 64 : i64} : memref<512xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg300 : memref<512xf32>) outs(%alloc_374 : memref<512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_375 = memref.expand_shape %alloc_374 [[0, 1, 2, 3]] output_shape [1, 1, 1, 512] : memref<512xf32> into memref<1x1x1x512xf32>
    %expand_shape_376 = memref.expand_shape %arg301 [[0, 1, 2, 3]] output_shape [1, 1, 1, 512] : memref<512xf32> into memref<1x1x1x512xf32>
    %expand_shape_377 = memref.expand_shape %arg174 [[0, 1, 2, 3]] output_shape [1, 1, 1, 512] : memref<512xf32> into memref<1x1x1x512xf32>
    %expand_shape_378 = memref.expand_shape %arg175 [[0, 1, 2, 3]] output_shape [1, 1, 1, 512] : memref<512xf32> into memref<1x1x1x512xf32>
    %alloc_379 = memref.alloc() {alignment = 64 : i64} : memref<1x1x1x512xf32>
    linalg.generic {indexing_maps = [#map1, #map2, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_372, %expand_shape_373, %expand_shape_376, %expand_shape_377, %expand_shape_375, %expand_shape_378 : memref<1x1x1x512xf32>, memref<1x1x1x512xf32>, memref<1x1x1x512xf32>, memref<1x1x1x512xf32>, memref<1x1x1x512xf32>, memref<1x1x1x512xf32>) outs(%alloc_379 : memref<1x1x1x512xf32>) {
    ^bb0(%in: f32, %in_466: f32, %in_467: f32, %in_468: f32, %in_469: f32, %in_470: f32, %out: f32):
      %0 = arith.addf %in_467, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_468 : f32
      %3 = arith.mulf %in_469, %2 : f32
      %4 = arith.addf %3, %in_470 : f32
      %5 = arith.addf %in, %in_466 : f32
      %6 = arith.mulf %5, %2 : f32
      %7 = arith.addf %6, %4 : f32
      %8 = arith.maximumf %7, %cst : f32
      linalg.yield %8 : f32
    }
    %alloc_380 = memref.alloc() {alignment = 64 : i64} : memref<1x1x1x512xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_380 : memref<1x1x1x512xf32>)
    %alloc_381 = memref.alloc() {alignment = 64 : i64} : memref<1x3x3x512xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_381 : memref<1x3x3x512xf32>)
    %subview_382 = memref.subview %alloc_381[0, 1, 1, 0] [1, 1, 1, 512] [1, 1, 1, 1] : memref<1x3x3x512xf32> to memref<1x1x1x512xf32, strided<[4608, 1536, 512, 1], offset: 2048>>
    memref.copy %alloc_379, %subview_382 : memref<1x1x1x512xf32> to memref<1x1x1x512xf32, strided<[4608, 1536, 512, 1], offset: 2048>>
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_381, %arg176 : memref<1x3x3x512xf32>, memref<3x3x512x512xf32>) outs(%alloc_380 : memref<1x1x1x512xf32>)
    %expand_shape_383 = memref.expand_shape %arg177 [[0, 1, 2, 3]] output_shape [1, 1, 1, 512] : memref<512xf32> into memref<1x1x1x512xf32>
    %alloc_384 = memref.alloc() {alignment = 64 : i64} : memref<512xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg302 : memref<512xf32>) outs(%alloc_384 : memref<512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_385 = memref.expand_shape %alloc_384 [[0, 1, 2, 3]] output_shape [1, 1, 1, 512] : memref<512xf32> into memref<1x1x1x512xf32>
    %expand_shape_386 = memref.expand_shape %arg303 [[0, 1, 2, 3]] output_shape [1, 1, 1, 512] : memref<512xf32> into memref<1x1x1x512xf32>
    %expand_shape_387 = memref.expand_shape %arg178 [[0, 1, 2, 3]] output_shape [1, 1, 1, 512] : memref<512xf32> into memref<1x1x1x512xf32>
    %expand_shape_388 = memref.expand_shape %arg179 [[0, 1, 2, 3]] output_shape [1, 1, 1, 512] : memref<512xf32> into memref<1x1x1x512xf32>
    %alloc_389 = memref.alloc() {alignment = 64 : i64} : memref<1x1x1x512xf32>
    linalg.generic {indexing_maps = [#map1, #map2, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_380, %expand_shape_383, %expand_shape_386, %expand_shape_387, %expand_shape_385, %expand_shape_388 : memref<1x1x1x512xf32>, memref<1x1x1x512xf32>, memref<1x1x1x512xf32>, memref<1x1x1x512xf32>, memref<1x1x1x512xf32>, memref<1x1x1x512xf32>) outs(%alloc_389 : memref<1x1x1x512xf32>) {
    ^bb0(%in: f32, %in_466: f32, %in_467: f32, %in_468: f32, %in_469: f32, %in_470: f32, %out: f32):
      %0 = arith.addf %in_467, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_468 : f32
      %3 = arith.mulf %in_469, %2 : f32
      %4 = arith.addf %3, %in_470 : f32
      %5 = arith.addf %in, %in_466 : f32
      %6 = arith.mulf %5, %2 : f32
      %7 = arith.addf %6, %4 : f32
      %8 = arith.maximumf %7, %cst : f32
      linalg.yield %8 : f32
    }
    %alloc_390 = memref.alloc() {alignment = 64 : i64} : memref<1x1x1x2048xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_390 : memref<1x1x1x2048xf32>)
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_389, %arg182 : memref<1x1x1x512xf32>, memref<1x1x512x2048xf32>) outs(%alloc_390 : memref<1x1x1x2048xf32>)
    %expand_shape_391 = memref.expand_shape %arg183 [[0, 1, 2, 3]] output_shape [1, 1, 1, 2048] : memref<2048xf32> into memref<1x1x1x2048xf32>
    %alloc_392 = memref.alloc() {alignment = 64 : i64} : memref<1x1x1x2048xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_392 : memref<1x1x1x2048xf32>)
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%alloc_371, %arg180 : memref<1x2x2x1024xf32>, memref<1x1x1024x2048xf32>) outs(%alloc_392 : memref<1x1x1x2048xf32>)
    %expand_shape_393 = memref.expand_shape %arg181 [[0, 1, 2, 3]] output_shape [1, 1, 1, 2048] : memref<2048xf32> into memref<1x1x1x2048xf32>
    %alloc_394 = memref.alloc() {alignment = 64 : i64} : memref<2048xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg304 : memref<2048xf32>) outs(%alloc_394 : memref<2048xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_395 = memref.expand_shape %alloc_394 [[0, 1, 2, 3]] output_shape [1, 1, 1, 2048] : memref<2048xf32> into memref<1x1x1x2048xf32>
    %expand_shape_396 = memref.expand_shape %arg305 [[0, 1, 2, 3]] output_shape [1, 1, 1, 2048] : memref<2048xf32> into memref<1x1x1x2048xf32>
    %expand_shape_397 = memref.expand_shape %arg184 [[0, 1, 2, 3]] output_shape [1, 1, 1, 2048] : memref<2048xf32> into memref<1x1x1x2048xf32>
    %expand_shape_398 = memref.expand_shape %arg185 [[0, 1, 2, 3]] output_shape [1, 1, 1, 2048] : memref<2048xf32> into memref<1x1x1x2048xf32>
    %alloc_399 = memref.alloc() {alignment = 64 : i64} : memref<2048xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg306 : memref<2048xf32>) outs(%alloc_399 : memref<2048xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_400 = memref.expand_shape %alloc_399 [[0, 1, 2, 3]] output_shape [1, 1, 1, 2048] : memref<2048xf32> into memref<1x1x1x2048xf32>
    %expand_shape_401 = memref.expand_shape %arg307 [[0, 1, 2, 3]] output_shape [1, 1, 1, 2048] : memref<2048xf32> into memref<1x1x1x2048xf32>
    %expand_shape_402 = memref.expand_shape %arg186 [[0, 1, 2, 3]] output_shape [1, 1, 1, 2048] : memref<2048xf32> into memref<1x1x1x2048xf32>
    %expand_shape_403 = memref.expand_shape %arg187 [[0, 1, 2, 3]] output_shape [1, 1, 1, 2048] : memref<2048xf32> into memref<1x1x1x2048xf32>
    %alloc_404 = memref.alloc() {alignment = 64 : i64} : memref<1x1x1x2048xf32>
    linalg.generic {indexing_maps = [#map1, #map2, #map2, #map2, #map2, #map2, #map1, #map2, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_392, %expand_shape_393, %expand_shape_396, %expand_shape_397, %expand_shape_395, %expand_shape_398, %alloc_390, %expand_shape_391, %expand_shape_401, %expand_shape_402, %expand_shape_400, %expand_shape_403 : memref<1x1x1x2048xf32>, memref<1x1x1x2048xf32>, memref<1x1x1x2048xf32>, memref<1x1x1x2048xf32>, memref<1x1x1x2048xf32>, memref<1x1x1x2048xf32>, memref<1x1x1x2048xf32>, memref<1x1x1x2048xf32>, memref<1x1x1x2048xf32>, memref<1x1x1x2048xf32>, memref<1x1x1x2048xf32>, memref<1x1x1x2048xf32>) outs(%alloc_404 : memref<1x1x1x2048xf32>) {
    ^bb0(%in: f32, %in_466: f32, %in_467: f32, %in_468: f32, %in_469: f32, %in_470: f32, %in_471: f32, %in_472: f32, %in_473: f32, %in_474: f32, %in_475: f32, %in_476: f32, %out: f32):
      %0 = arith.addf %in_467, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_468 : f32
      %3 = arith.mulf %in_469, %2 : f32
      %4 = arith.addf %in_473, %cst_0 : f32
      %5 = arith.addf %3, %in_470 : f32
      %6 = arith.addf %in, %in_466 : f32
      %7 = arith.mulf %6, %2 : f32
      %8 = math.rsqrt %4 : f32
      %9 = arith.mulf %8, %in_474 : f32
      %10 = arith.mulf %in_475, %9 : f32
      %11 = arith.addf %10, %in_476 : f32
      %12 = arith.addf %in_471, %in_472 : f32
      %13 = arith.mulf %12, %9 : f32
      %14 = arith.addf %13, %11 : f32
      %15 = arith.addf %7, %5 : f32
      %16 = arith.addf %15, %14 : f32
      %17 = arith.maximumf %16, %cst : f32
      linalg.yield %17 : f32
    }
    %alloc_405 = memref.alloc() {alignment = 64 : i64} : memref<1x1x1x512xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_405 : memref<1x1x1x512xf32>)
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_404, %arg188 : memref<1x1x1x2048xf32>, memref<1x1x2048x512xf32>) outs(%alloc_405 : memref<1x1x1x512xf32>)
    %expand_shape_406 = memref.expand_shape %arg189 [[0, 1, 2, 3]] output_shape [1, 1, 1, 512] : memref<512xf32> into memref<1x1x1x512xf32>
    %alloc_407 = memref.alloc() {alignment = 64 : i64} : memref<512xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg308 : memref<512xf32>) outs(%alloc_407 : memref<512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_408 = memref.expand_shape %alloc_407 [[0, 1, 2, 3]] output_shape [1, 1, 1, 512] : memref<512xf32> into memref<1x1x1x512xf32>
    %expand_shape_409 = memref.expand_shape %arg309 [[0, 1, 2, 3]] output_shape [1, 1, 1, 512] : memref<512xf32> into memref<1x1x1x512xf32>
    %expand_shape_410 = memref.expand_shape %arg190 [[0, 1, 2, 3]] output_shape [1, 1, 1, 512] : memref<512xf32> into memref<1x1x1x512xf32>
    %expand_shape_411 = memref.expand_shape %arg191 [[0, 1, 2, 3]] output_shape [1, 1, 1, 512] : memref<512xf32> into memref<1x1x1x512xf32>
    %alloc_412 = memref.alloc() {alignment = 64 : i64} : memref<1x1x1x512xf32>
    linalg.generic {indexing_maps = [#map1, #map2, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_405, %expand_shape_406, %expand_shape_409, %expand_shape_410, %expand_shape_408, %expand_shape_411 : memref<1x1x1x512xf32>, memref<1x1x1x512xf32>, memref<1x1x1x512xf32>, memref<1x1x1x512xf32>, memref<1x1x1x512xf32>, memref<1x1x1x512xf32>) outs(%alloc_412 : memref<1x1x1x512xf32>) {
    ^bb0(%in: f32, %in_466: f32, %in_467: f32, %in_468: f32, %in_469: f32, %in_470: f32, %out: f32):
      %0 = arith.addf %in_467, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_468 : f32
      %3 = arith.mulf %in_469, %2 : f32
      %4 = arith.addf %3, %in_470 : f32
      %5 = arith.addf %in, %in_466 : f32
      %6 = arith.mulf %5, %2 : f32
      %7 = arith.addf %6, %4 : f32
      %8 = arith.maximumf %7, %cst : f32
      linalg.yield %8 : f32
    }
    %alloc_413 = memref.alloc() {alignment = 64 : i64} : memref<1x1x1x512xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_413 : memref<1x1x1x512xf32>)
    %alloc_414 = memref.alloc() {alignment = 64 : i64} : memref<1x3x3x512xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_414 : memref<1x3x3x512xf32>)
    %subview_415 = memref.subview %alloc_414[0, 1, 1, 0] [1, 1, 1, 512] [1, 1, 1, 1] : memref<1x3x3x512xf32> to memref<1x1x1x512xf32, strided<[4608, 1536, 512, 1], offset: 2048>>
    memref.copy %alloc_412, %subview_415 : memref<1x1x1x512xf32> to memref<1x1x1x512xf32, strided<[4608, 1536, 512, 1], offset: 2048>>
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_414, %arg192 : memref<1x3x3x512xf32>, memref<3x3x512x512xf32>) outs(%alloc_413 : memref<1x1x1x512xf32>)
    %expand_shape_416 = memref.expand_shape %arg193 [[0, 1, 2, 3]] output_shape [1, 1, 1, 512] : memref<512xf32> into memref<1x1x1x512xf32>
    %alloc_417 = memref.alloc() {alignment = 64 : i64} : memref<512xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg310 : memref<512xf32>) outs(%alloc_417 : memref<512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_418 = memref.expand_shape %alloc_417 [[0, 1, 2, 3]] output_shape [1, 1, 1, 512] : memref<512xf32> into memref<1x1x1x512xf32>
    %expand_shape_419 = memref.expand_shape %arg311 [[0, 1, 2, 3]] output_shape [1, 1, 1, 512] : memref<512xf32> into memref<1x1x1x512xf32>
    %expand_shape_420 = memref.expand_shape %arg194 [[0, 1, 2, 3]] output_shape [1, 1, 1, 512] : memref<512xf32> into memref<1x1x1x512xf32>
    %expand_shape_421 = memref.expand_shape %arg195 [[0, 1, 2, 3]] output_shape [1, 1, 1, 512] : memref<512xf32> into memref<1x1x1x512xf32>
    %alloc_422 = memref.alloc() {alignment = 64 : i64} : memref<1x1x1x512xf32>
    linalg.generic {indexing_maps = [#map1, #map2, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_413, %expand_shape_416, %expand_shape_419, %expand_shape_420, %expand_shape_418, %expand_shape_421 : memref<1x1x1x512xf32>, memref<1x1x1x512xf32>, memref<1x1x1x512xf32>, memref<1x1x1x512xf32>, memref<1x1x1x512xf32>, memref<1x1x1x512xf32>) outs(%alloc_422 : memref<1x1x1x512xf32>) {
    ^bb0(%in: f32, %in_466: f32, %in_467: f32, %in_468: f32, %in_469: f32, %in_470: f32, %out: f32):
      %0 = arith.addf %in_467, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_468 : f32
      %3 = arith.mulf %in_469, %2 : f32
      %4 = arith.addf %3, %in_470 : f32
      %5 = arith.addf %in, %in_466 : f32
      %6 = arith.mulf %5, %2 : f32
      %7 = arith.addf %6, %4 : f32
      %8 = arith.maximumf %7, %cst : f32
      linalg.yield %8 : f32
    }
    %alloc_423 = memref.alloc() {alignment = 64 : i64} : memref<1x1x1x2048xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_423 : memref<1x1x1x2048xf32>)
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_422, %arg196 : memref<1x1x1x512xf32>, memref<1x1x512x2048xf32>) outs(%alloc_423 : memref<1x1x1x2048xf32>)
    %expand_shape_424 = memref.expand_shape %arg197 [[0, 1, 2, 3]] output_shape [1, 1, 1, 2048] : memref<2048xf32> into memref<1x1x1x2048xf32>
    %alloc_425 = memref.alloc() {alignment = 64 : i64} : memref<2048xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg312 : memref<2048xf32>) outs(%alloc_425 : memref<2048xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_426 = memref.expand_shape %alloc_425 [[0, 1, 2, 3]] output_shape [1, 1, 1, 2048] : memref<2048xf32> into memref<1x1x1x2048xf32>
    %expand_shape_427 = memref.expand_shape %arg313 [[0, 1, 2, 3]] output_shape [1, 1, 1, 2048] : memref<2048xf32> into memref<1x1x1x2048xf32>
    %expand_shape_428 = memref.expand_shape %arg198 [[0, 1, 2, 3]] output_shape [1, 1, 1, 2048] : memref<2048xf32> into memref<1x1x1x2048xf32>
    %expand_shape_429 = memref.expand_shape %arg199 [[0, 1, 2, 3]] output_shape [1, 1, 1, 2048] : memref<2048xf32> into memref<1x1x1x2048xf32>
    %alloc_430 = memref.alloc() {alignment = 64 : i64} : memref<1x1x1x2048xf32>
    linalg.generic {indexing_maps = [#map1, #map1, #map2, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_404, %alloc_423, %expand_shape_424, %expand_shape_427, %expand_shape_428, %expand_shape_426, %expand_shape_429 : memref<1x1x1x2048xf32>, memref<1x1x1x2048xf32>, memref<1x1x1x2048xf32>, memref<1x1x1x2048xf32>, memref<1x1x1x2048xf32>, memref<1x1x1x2048xf32>, memref<1x1x1x2048xf32>) outs(%alloc_430 : memref<1x1x1x2048xf32>) {
    ^bb0(%in: f32, %in_466: f32, %in_467: f32, %in_468: f32, %in_469: f32, %in_470: f32, %in_471: f32, %out: f32):
      %0 = arith.addf %in_468, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_469 : f32
      %3 = arith.mulf %in_470, %2 : f32
      %4 = arith.addf %3, %in_471 : f32
      %5 = arith.addf %in_466, %in_467 : f32
      %6 = arith.mulf %5, %2 : f32
      %7 = arith.addf %6, %4 : f32
      %8 = arith.addf %in, %7 : f32
      %9 = arith.maximumf %8, %cst : f32
      linalg.yield %9 : f32
    }
    %alloc_431 = memref.alloc() {alignment = 64 : i64} : memref<1x1x1x512xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_431 : memref<1x1x1x512xf32>)
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_430, %arg200 : memref<1x1x1x2048xf32>, memref<1x1x2048x512xf32>) outs(%alloc_431 : memref<1x1x1x512xf32>)
    %expand_shape_432 = memref.expand_shape %arg201 [[0, 1, 2, 3]] output_shape [1, 1, 1, 512] : memref<512xf32> into memref<1x1x1x512xf32>
    %alloc_433 = memref.alloc() {alignment = 64 : i64} : memref<512xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg314 : memref<512xf32>) outs(%alloc_433 : memref<512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_434 = memref.expand_shape %alloc_433 [[0, 1, 2, 3]] output_shape [1, 1, 1, 512] : memref<512xf32> into memref<1x1x1x512xf32>
    %expand_shape_435 = memref.expand_shape %arg315 [[0, 1, 2, 3]] output_shape [1, 1, 1, 512] : memref<512xf32> into memref<1x1x1x512xf32>
    %expand_shape_436 = memref.expand_shape %arg202 [[0, 1, 2, 3]] output_shape [1, 1, 1, 512] : memref<512xf32> into memref<1x1x1x512xf32>
    %expand_shape_437 = memref.expand_shape %arg203 [[0, 1, 2, 3]] output_shape [1, 1, 1, 512] : memref<512xf32> into memref<1x1x1x512xf32>
    %alloc_438 = memref.alloc() {alignment = 64 : i64} : memref<1x1x1x512xf32>
    linalg.generic {indexing_maps = [#map1, #map2, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_431, %expand_shape_432, %expand_shape_435, %expand_shape_436, %expand_shape_434, %expand_shape_437 : memref<1x1x1x512xf32>, memref<1x1x1x512xf32>, memref<1x1x1x512xf32>, memref<1x1x1x512xf32>, memref<1x1x1x512xf32>, memref<1x1x1x512xf32>) outs(%alloc_438 : memref<1x1x1x512xf32>) {
    ^bb0(%in: f32, %in_466: f32, %in_467: f32, %in_468: f32, %in_469: f32, %in_470: f32, %out: f32):
      %0 = arith.addf %in_467, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_468 : f32
      %3 = arith.mulf %in_469, %2 : f32
      %4 = arith.addf %3, %in_470 : f32
      %5 = arith.addf %in, %in_466 : f32
      %6 = arith.mulf %5, %2 : f32
      %7 = arith.addf %6, %4 : f32
      %8 = arith.maximumf %7, %cst : f32
      linalg.yield %8 : f32
    }
    %alloc_439 = memref.alloc() {alignment = 64 : i64} : memref<1x1x1x512xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_439 : memref<1x1x1x512xf32>)
    %alloc_440 = memref.alloc() {alignment = 64 : i64} : memref<1x3x3x512xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_440 : memref<1x3x3x512xf32>)
    %subview_441 = memref.subview %alloc_440[0, 1, 1, 0] [1, 1, 1, 512] [1, 1, 1, 1] : memref<1x3x3x512xf32> to memref<1x1x1x512xf32, strided<[4608, 1536, 512, 1], offset: 2048>>
    memref.copy %alloc_438, %subview_441 : memref<1x1x1x512xf32> to memref<1x1x1x512xf32, strided<[4608, 1536, 512, 1], offset: 2048>>
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_440, %arg204 : memref<1x3x3x512xf32>, memref<3x3x512x512xf32>) outs(%alloc_439 : memref<1x1x1x512xf32>)
    %expand_shape_442 = memref.expand_shape %arg205 [[0, 1, 2, 3]] output_shape [1, 1, 1, 512] : memref<512xf32> into memref<1x1x1x512xf32>
    %alloc_443 = memref.alloc() {alignment = 64 : i64} : memref<512xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg316 : memref<512xf32>) outs(%alloc_443 : memref<512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_444 = memref.expand_shape %alloc_443 [[0, 1, 2, 3]] output_shape [1, 1, 1, 512] : memref<512xf32> into memref<1x1x1x512xf32>
    %expand_shape_445 = memref.expand_shape %arg317 [[0, 1, 2, 3]] output_shape [1, 1, 1, 512] : memref<512xf32> into memref<1x1x1x512xf32>
    %expand_shape_446 = memref.expand_shape %arg206 [[0, 1, 2, 3]] output_shape [1, 1, 1, 512] : memref<512xf32> into memref<1x1x1x512xf32>
    %expand_shape_447 = memref.expand_shape %arg207 [[0, 1, 2, 3]] output_shape [1, 1, 1, 512] : memref<512xf32> into memref<1x1x1x512xf32>
    %alloc_448 = memref.alloc() {alignment = 64 : i64} : memref<1x1x1x512xf32>
    linalg.generic {indexing_maps = [#map1, #map2, #map2, #map2, #map2, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_439, %expand_shape_442, %expand_shape_445, %expand_shape_446, %expand_shape_444, %expand_shape_447 : memref<1x1x1x512xf32>, memref<1x1x1x512xf32>, memref<1x1x1x512xf32>, memref<1x1x1x512xf32>, memref<1x1x1x512xf32>, memref<1x1x1x512xf32>) outs(%alloc_448 : memref<1x1x1x512xf32>) {
    ^bb0(%in: f32, %in_466: f32, %in_467: f32, %in_468: f32, %in_469: f32, %in_470: f32, %out: f32):
      %0 = arith.addf %in_467, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_468 : f32
      %3 = arith.mulf %in_469, %2 : f32
      %4 = arith.addf %3, %in_470 : f32
      %5 = arith.addf %in, %in_466 : f32
      %6 = arith.mulf %5, %2 : f32
      %7 = arith.addf %6, %4 : f32
      %8 = arith.maximumf %7, %cst : f32
      linalg.yield %8 : f32
    }
    %alloc_449 = memref.alloc() {alignment = 64 : i64} : memref<1x1x1x2048xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_449 : memref<1x1x1x2048xf32>)
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_448, %arg208 : memref<1x1x1x512xf32>, memref<1x1x512x2048xf32>) outs(%alloc_449 : memref<1x1x1x2048xf32>)
    %expand_shape_450 = memref.expand_shape %arg209 [[0, 1, 2, 3]] output_shape [1, 1, 1, 2048] : memref<2048xf32> into memref<1x1x1x2048xf32>
    %alloc_451 = memref.alloc() {alignment = 64 : i64} : memref<2048xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg318 : memref<2048xf32>) outs(%alloc_451 : memref<2048xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    %expand_shape_452 = memref.expand_shape %alloc_451 [[0, 1, 2, 3]] output_shape [1, 1, 1, 2048] : memref<2048xf32> into memref<1x1x1x2048xf32>
    %expand_shape_453 = memref.expand_shape %arg319 [[0, 1, 2, 3]] output_shape [1, 1, 1, 2048] : memref<2048xf32> into memref<1x1x1x2048xf32>
    %expand_shape_454 = memref.expand_shape %arg210 [[0, 1, 2, 3]] output_shape [1, 1, 1, 2048] : memref<2048xf32> into memref<1x1x1x2048xf32>
    %alloc_455 = memref.alloc() {alignment = 64 : i64} : memref<1x1x1x2048xf32>
    linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expand_shape_453, %expand_shape_454 : memref<1x1x1x2048xf32>, memref<1x1x1x2048xf32>) outs(%alloc_455 : memref<1x1x1x2048xf32>) {
    ^bb0(%in: f32, %in_466: f32, %out: f32):
      %0 = arith.addf %in, %cst_0 : f32
      %1 = math.rsqrt %0 : f32
      %2 = arith.mulf %1, %in_466 : f32
      linalg.yield %2 : f32
    }
    %expand_shape_456 = memref.expand_shape %arg211 [[0, 1, 2, 3]] output_shape [1, 1, 1, 2048] : memref<2048xf32> into memref<1x1x1x2048xf32>
    %alloc_457 = memref.alloc() {alignment = 64 : i64} : memref<1x1x1x2048xf32>
    linalg.generic {indexing_maps = [#map1, #map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expand_shape_452, %alloc_455, %expand_shape_456 : memref<1x1x1x2048xf32>, memref<1x1x1x2048xf32>, memref<1x1x1x2048xf32>) outs(%alloc_457 : memref<1x1x1x2048xf32>) {
    ^bb0(%in: f32, %in_466: f32, %in_467: f32, %out: f32):
      %0 = arith.mulf %in, %in_466 : f32
      %1 = arith.addf %0, %in_467 : f32
      linalg.yield %1 : f32
    }
    %alloc_458 = memref.alloc() {alignment = 64 : i64} : memref<1x2048xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_458 : memref<1x2048xf32>)
    linalg.generic {indexing_maps = [#map3, #map3, #map4, #map4, #map4, #map5], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%alloc_430, %alloc_449, %expand_shape_450, %alloc_455, %alloc_457 : memref<1x1x1x2048xf32>, memref<1x1x1x2048xf32>, memref<1x1x1x2048xf32>, memref<1x1x1x2048xf32>, memref<1x1x1x2048xf32>) outs(%alloc_458 : memref<1x2048xf32>) {
    ^bb0(%in: f32, %in_466: f32, %in_467: f32, %in_468: f32, %in_469: f32, %out: f32):
      %0 = arith.addf %in_466, %in_467 : f32
      %1 = arith.mulf %0, %in_468 : f32
      %2 = arith.addf %1, %in_469 : f32
      %3 = arith.addf %in, %2 : f32
      %4 = arith.maximumf %3, %cst : f32
      %5 = arith.addf %out, %4 : f32
      linalg.yield %5 : f32
    }
    %alloc_459 = memref.alloc() {alignment = 64 : i64} : memref<1x2048xf32>
    linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%alloc_458 : memref<1x2048xf32>) outs(%alloc_459 : memref<1x2048xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %collapse_shape = memref.collapse_shape %alloc_459 [[0, 1]] : memref<1x2048xf32> into memref<2048xf32>
    %alloc_460 = memref.alloc() {alignment = 64 : i64} : memref<1000xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_460 : memref<1000xf32>)
    linalg.vecmat ins(%collapse_shape, %arg212 : memref<2048xf32>, memref<2048x1000xf32>) outs(%alloc_460 : memref<1000xf32>)
    %expand_shape_461 = memref.expand_shape %alloc_460 [[0, 1]] output_shape [1, 1000] : memref<1000xf32> into memref<1x1000xf32>
    %alloc_462 = memref.alloc() {alignment = 64 : i64} : memref<1x1000xf32>
    linalg.generic {indexing_maps = [#map6, #map7, #map6], iterator_types = ["parallel", "parallel"]} ins(%expand_shape_461, %arg213 : memref<1x1000xf32>, memref<1000xf32>) outs(%alloc_462 : memref<1x1000xf32>) {
    ^bb0(%in: f32, %in_466: f32, %out: f32):
      %0 = arith.addf %in, %in_466 : f32
      linalg.yield %0 : f32
    }
    %alloc_463 = memref.alloc() {alignment = 64 : i64} : memref<1xf32>
    linalg.fill ins(%cst_1 : f32) outs(%alloc_463 : memref<1xf32>)
    linalg.generic {indexing_maps = [#map6, #map8], iterator_types = ["parallel", "reduction"]} ins(%alloc_462 : memref<1x1000xf32>) outs(%alloc_463 : memref<1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.maximumf %out, %in : f32
      linalg.yield %0 : f32
    }
    %alloc_464 = memref.alloc() {alignment = 64 : i64} : memref<1x1000xf32>
    linalg.generic {indexing_maps = [#map6, #map8, #map6], iterator_types = ["parallel", "parallel"]} ins(%alloc_462, %alloc_463 : memref<1x1000xf32>, memref<1xf32>) outs(%alloc_464 : memref<1x1000xf32>) {
    ^bb0(%in: f32, %in_466: f32, %out: f32):
      %0 = arith.subf %in, %in_466 : f32
      %1 = math.exp %0 : f32
      linalg.yield %1 : f32
    }
    %alloc_465 = memref.alloc() {alignment = 64 : i64} : memref<1xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_465 : memref<1xf32>)
    linalg.generic {indexing_maps = [#map6, #map8], iterator_types = ["parallel", "reduction"]} ins(%alloc_464 : memref<1x1000xf32>) outs(%alloc_465 : memref<1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.addf %out, %in : f32
      linalg.yield %0 : f32
    }
    linalg.generic {indexing_maps = [#map6, #map8, #map6], iterator_types = ["parallel", "parallel"]} ins(%alloc_464, %alloc_465 : memref<1x1000xf32>, memref<1xf32>) outs(%arg321 : memref<1x1000xf32>) {
    ^bb0(%in: f32, %in_466: f32, %out: f32):
      %0 = arith.divf %in, %in_466 : f32
      linalg.yield %0 : f32
    }
    return
  }
}

