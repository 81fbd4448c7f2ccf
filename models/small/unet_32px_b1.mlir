#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, 0, 0, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
module @jit_main {
  func.func public @main(%arg0: memref<3x3x3x64xf32>, %arg1: memref<64xf32>, %arg2: memref<3x3x64x64xf32>, %arg3: memref<64xf32>, %arg4: memref<3x3x64x128xf32>, %arg5: memref<128xf32>, %arg6: memref<3x3x128x128xf32>, %arg7: memref<128xf32>, %arg8: memref<3x3x128x256xf32>, %arg9: memref<256xf32>, %arg10: memref<3x3x256x256xf32>, %arg11: memref<256xf32>, %arg12: memref<3x3x256x512xf32>, %arg13: memref<512xf32>, %arg14: memref<3x3x512x512xf32>, %arg15: memref<512xf32>, %arg16: memref<3x3x512x1024xf32>, %arg17: memref<1024xf32>, %arg18: memref<3x3x1024x1024xf32>, %arg19: memref<1024xf32>, %arg20: memref<2x2x512x1024xf32>, %arg21: memref<512xf32>, %arg22: memref<3x3x1024x512xf32>, %arg23: memref<512xf32>, %arg24: memref<3x3x512x512xf32>, %arg25: memref<512xf32>, %arg26: memref<2x2x256x512xf32>, %arg27: memref<256xf32>, %arg28: memref<3x3x512x256xf32>, %arg29: memref<256xf32>, %arg30: memref<3x3x256x256xf32>, %arg31: memref<256xf32>, %arg32: memref<2x2x128x256xf32>, %arg33: memref<128xf32>, %arg34: memref<3x3x256x128xf32>, %arg35: memref<128xf32>, %arg36: memref<3x3x128x128xf32>, %arg37: memref<128xf32>, %arg38: memref<2x2x64x128xf32>, %arg39: memref<64xf32>, %arg40: memref<3x3x128x64xf32>, %arg41: memref<64xf32>, %arg42: memref<3x3x64x64xf32>, %arg43: memref<64xf32>, %arg44: memref<1x1x64x2xf32>, %arg45: memref<2xf32>, %arg46: memref<1x32x32x3xf32>, %arg47: memref<1x32x32x2xf32> {bufferize.result}) {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %c1 = arith.constant 1 : index
    %alloc = memref.alloc() {alignment = 64 : i64} : memref<1x32x32x64xf32>
    linalg.fill ins(%cst : f32) outs(%alloc : memref<1x32x32x64xf32>)
    %alloc_1 = memref.alloc() {alignment = 64 : i64} : memref<1x34x34x3xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_1 : memref<1x34x34x3xf32>)
    %subview = memref.subview %alloc_1[0, 1, 1, 0] [1, 32, 32, 3] [1, 1, 1, 1] : memref<1x34x34x3xf32> to memref<1x32x32x3xf32, strided<[3468, 102, 3, 1], offset: 105>>
    memref.copy %arg46, %subview : memref<1x32x32x3xf32> to memref<1x32x32x3xf32, strided<[3468, 102, 3, 1], offset: 105>>
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_1, %arg0 : memref<1x34x34x3xf32>, memref<3x3x3x64xf32>) outs(%alloc : memref<1x32x32x64xf32>)
    %expand_shape = memref.expand_shape %arg1 [[0, 1, 2, 3]] output_shape [1, 1, 1, 64] : memref<64xf32> into memref<1x1x1x64xf32>
    %alloc_2 = memref.alloc() {alignment = 64 : i64} : memref<1x32x32x64xf32>
    linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc, %expand_shape : memref<1x32x32x64xf32>, memref<1x1x1x64xf32>) outs(%alloc_2 : memref<1x32x32x64xf32>) {
    ^bb0(%in: f32, %in_154: f32, %out: f32):
      %0 = arith.addf %in, %in_154 : f32
      %1 = arith.maximumf %0, %cst : f32
      linalg.yield %1 : f32
    }
    %alloc_3 = memref.alloc() {alignment = 64 : i64} : memref<1x32x32x64xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_3 : memref<1x32x32x64xf32>)
    %alloc_4 = memref.alloc() {alignment = 64 : i64} : memref<1x34x34x64xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_4 : memref<1x34x34x64xf32>)
    %subview_5 = memref.subview %alloc_4[0, 1, 1, 0] [1, 32, 32, 64] [1, 1, 1, 1] : memref<1x34x34x64xf32> to memref<1x32x32x64xf32, strided<[73984, 2176, 64, 1], offset: 2240>>
    memref.copy %alloc_2, %subview_5 : memref<1x32x32x64xf32> to memref<1x32x32x64xf32, strided<[73984, 2176, 64, 1], offset: 2240>>
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_4, %arg2 : memref<1x34x34x64xf32>, memref<3x3x64x64xf32>) outs(%alloc_3 : memref<1x32x32x64xf32>)
    %expand_shape_6 = memref.expand_shape %arg3 [[0, 1, 2, 3]] output_shape [1, 1, 1, 64] : memref<64xf32> into memref<1x1x1x64xf32>
    %alloc_7 = memref.alloc() {alignment = 64 : i64} : memref<1x32x32x64xf32>
    linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_3, %expand_shape_6 : memref<1x32x32x64xf32>, memref<1x1x1x64xf32>) outs(%alloc_7 : memref<1x32x32x64xf32>) {
    ^bb0(%in: f32, %in_154: f32, %out: f32):
      %0 = arith.addf %in, %in_154 : f32
      %1 = arith.maximumf %0, %cst : f32
      linalg.yield %1 : f32
    }
    %subview_8 = memref.subview %alloc_7[0, 0, 0, 0] [1, 16, 16, 64] [1, 2, 2, 1] : memref<1x32x32x64xf32> to memref<1x16x16x64xf32, strided<[65536, 4096, 128, 1]>>
    %subview_9 = memref.subview %alloc_7[0, 0, 1, 0] [1, 16, 16, 64] [1, 2, 2, 1] : memref<1x32x32x64xf32> to memref<1x16x16x64xf32, strided<[65536, 4096, 128, 1], offset: 64>>
    %subview_10 = memref.subview %alloc_7[0, 1, 0, 0] [1, 16, 16, 64] [1, 2, 2, 1] : memref<1x32x32x64xf32> to memref<1x16x16x64xf32, strided<[65536, 4096, 128, 1], offset: 2048>>
    %subview_11 = memref.subview %alloc_7[0, 1, 1, 0] [1, 16, 16, 64] [1, 2, 2, 1] : memref<1x32x32x64xf32> to memref<1x16x16x64xf32, strided<[65536, 4096, 128, 1], offset: 2112>>
    %alloc_12 = memref.alloc() {alignment = 64 : i64} : memref<1x16x16x64xf32>
    linalg.generic {indexing_maps = [#map, #map, #map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%subview_8, %subview_9, %subview_10, %subview_11 : memref<1x16x16x64xf32, strided<[65536, 4096, 128, 1]>>, memref<1x16x16x64xf32, strided<[65536, 4096, 128, 1], offset: 64>>, memref<1x16x16x64xf32, strided<[65536, 4096, 128, 1], offset: 2048>>, memref<1x16x16x64xf32, strided<[65536, 4096, 128, 1], offset: 2112>>) outs(%alloc_12 : memref<1x16x16x64xf32>) {
    ^bb0(%in: f32, %in_154: f32, %in_155: f32, %in_156: f32, %out: f32):
      %0 = arith.maximumf %in, %in_154 : f32
      %1 = arith.maximumf %0, %in_155 : f32
      %2 = arith.maximumf %1, %in_156 : f32
      linalg.yield %2 : f32
    }
    %alloc_13 = memref.alloc() {alignment = 64 : i64} : memref<1x16x16x128xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_13 : memref<1x16x16x128xf32>)
    %alloc_14 = memref.alloc() {alignment = 64 : i64} : memref<1x18x18x64xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_14 : memref<1x18x18x64xf32>)
    %subview_15 = memref.subview %alloc_14[0, 1, 1, 0] [1, 16, 16, 64] [1, 1, 1, 1] : memref<1x18x18x64xf32> to memref<1x16x16x64xf32, strided<[20736, 1152, 64, 1], offset: 1216>>
    memref.copy %alloc_12, %subview_15 : memref<1x16x16x64xf32> to memref<1x16x16x64xf32, strided<[20736, 1152, 64, 1], offset: 1216>>
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_14, %arg4 : memref<1x18x18x64xf32>, memref<3x3x64x128xf32>) outs(%alloc_13 : memref<1x16x16x128xf32>)
    %expand_shape_16 = memref.expand_shape %arg5 [[0, 1, 2, 3]] output_shape [1, 1, 1, 128] : memref<128xf32> into memref<1x1x1x128xf32>
    %alloc_17 = memref.alloc() {alignment = 64 : i64} : memref<1x16x16x128xf32>
    linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_13, %expand_shape_16 : memref<1x16x16x128xf32>, memref<1x1x1x128xf32>) outs(%alloc_17 : memref<1x16x16x128xf32>) {
    ^bb0(%in: f32, %in_154: f32, %out: f32):
      %0 = arith.addf %in, %in_154 : f32
      %1 = arith.maximumf %0, %cst : f32
      linalg.yield %1 : f32
    }
    %alloc_18 = memref.alloc() {alignment = 64 : i64} : memref<1x16x16x128xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_18 : memref<1x16x16x128xf32>)
    %alloc_19 = memref.alloc() {alignment = 64 : i64} : memref<1x18x18x128xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_19 : memref<1x18x18x128xf32>)
    %subview_20 = memref.subview %alloc_19[0, 1, 1, 0] [1, 16, 16, 128] [1, 1, 1, 1] : memref<1x18x18x128xf32> to memref<1x16x16x128xf32, strided<[41472, 2304, 128, 1], offset: 2432>>
    memref.copy %alloc_17, %subview_20 : memref<1x16x16x128xf32> to memref<1x16x16x128xf32, strided<[41472, 2304, 128, 1], offset: 2432>>
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_19, %arg6 : memref<1x18x18x128xf32>, memref<3x3x128x128xf32>) outs(%alloc_18 : memref<1x16x16x128xf32>)
    %expand_shape_21 = memref.expand_shape %arg7 [[0, 1, 2, 3]] output_shape [1, 1, 1, 128] : memref<128xf32> into memref<1x1x1x128xf32>
    %alloc_22 = memref.alloc() {alignment = 64 : i64} : memref<1x16x16x128xf32>
    linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_18, %expand_shape_21 : memref<1x16x16x128xf32>, memref<1x1x1x128xf32>) outs(%alloc_22 : memref<1x16x16x128xf32>) {
    ^bb0(%in: f32, %in_154: f32, %out: f32):
      %0 = arith.addf %in, %in_154 : f32
      %1 = arith.maximumf %0, %cst : f32
      linalg.yield %1 : f32
    }
    %subview_23 = memref.subview %alloc_22[0, 0, 0, 0] [1, 8, 8, 128] [1, 2, 2, 1] : memref<1x16x16x128xf32> to memref<1x8x8x128xf32, strided<[32768, 4096, 256, 1]>>
    %subview_24 = memref.subview %alloc_22[0, 0, 1, 0] [1, 8, 8, 128] [1, 2, 2, 1] : memref<1x16x16x128xf32> to memref<1x8x8x128xf32, strided<[32768, 4096, 256, 1], offset: 128>>
    %subview_25 = memref.subview %alloc_22[0, 1, 0, 0] [1, 8, 8, 128] [1, 2, 2, 1] : memref<1x16x16x128xf32> to memref<1x8x8x128xf32, strided<[32768, 4096, 256, 1], offset: 2048>>
    %subview_26 = memref.subview %alloc_22[0, 1, 1, 0] [1, 8, 8, 128] [1, 2, 2, 1] : memref<1x16x16x128xf32> to memref<1x8x8x128xf32, strided<[32768, 4096, 256, 1], offset: 2176>>
    %alloc_27 = memref.alloc() {alignment = 64 : i64} : memref<1x8x8x128xf32>
    linalg.generic {indexing_maps = [#map, #map, #map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%subview_23, %subview_24, %subview_25, %subview_26 : memref<1x8x8x128xf32, strided<[32768, 4096, 256, 1]>>, memref<1x8x8x128xf32, strided<[32768, 4096, 256, 1], offset: 128>>, memref<1x8x8x128xf32, strided<[32768, 4096, 256, 1], offset: 2048>>, memref<1x8x8x128xf32, strided<[32768, 4096, 256, 1], offset: 2176>>) outs(%alloc_27 : memref<1x8x8x128xf32>) {
    ^bb0(%in: f32, %in_154: f32, %in_155: f32, %in_156: f32, %out: f32):
      %0 = arith.maximumf %in, %in_154 : f32
      %1 = arith.maximumf %0, %in_155 : f32
      %2 = arith.maximumf %1, %in_156 : f32
      linalg.yield %2 : f32
    }
    %alloc_28 = memref.alloc() {alignment = 64 : i64} : memref<1x8x8x256xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_28 : memref<1x8x8x256xf32>)
    %alloc_29 = memref.alloc() {alignment = 64 : i64} : memref<1x10x10x128xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_29 : memref<1x10x10x128xf32>)
    %subview_30 = memref.subview %alloc_29[0, 1, 1, 0] [1, 8, 8, 128] [1, 1, 1, 1] : memref<1x10x10x128xf32> to memref<1x8x8x128xf32, strided<[12800, 1280, 128, 1], offset: 1408>>
    memref.copy %alloc_27, %subview_30 : memref<1x8x8x128xf32> to memref<1x8x8x128xf32, strided<[12800, 1280, 128, 1], offset: 1408>>
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_29, %arg8 : memref<1x10x10x128xf32>, memref<3x3x128x256xf32>) outs(%alloc_28 : memref<1x8x8x256xf32>)
    %expand_shape_31 = memref.expand_shape %arg9 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : memref<256xf32> into memref<1x1x1x256xf32>
    %alloc_32 = memref.alloc() {alignment = 64 : i64} : memref<1x8x8x256xf32>
    linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_28, %expand_shape_31 : memref<1x8x8x256xf32>, memref<1x1x1x256xf32>) outs(%alloc_32 : memref<1x8x8x256xf32>) {
    ^bb0(%in: f32, %in_154: f32, %out: f32):
      %0 = arith.addf %in, %in_154 : f32
      %1 = arith.maximumf %0, %cst : f32
      linalg.yield %1 : f32
    }
    %alloc_33 = memref.alloc() {alignment = 64 : i64} : memref<1x8x8x256xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_33 : memref<1x8x8x256xf32>)
    %alloc_34 = memref.alloc() {alignment = 64 : i64} : memref<1x10x10x256xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_34 : memref<1x10x10x256xf32>)
    %subview_35 = memref.subview %alloc_34[0, 1, 1, 0] [1, 8, 8, 256] [1, 1, 1, 1] : memref<1x10x10x256xf32> to memref<1x8x8x256xf32, strided<[25600, 2560, 256, 1], offset: 2816>>
    memref.copy %alloc_32, %subview_35 : memref<1x8x8x256xf32> to memref<1x8x8x256xf32, strided<[25600, 2560, 256, 1], offset: 2816>>
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_34, %arg10 : memref<1x10x10x256xf32>, memref<3x3x256x256xf32>) outs(%alloc_33 : memref<1x8x8x256xf32>)
    %expand_shape_36 = memref.expand_shape %arg11 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : memref<256xf32> into memref<1x1x1x256xf32>
    %alloc_37 = memref.alloc() {alignment = 64 : i64} : memref<1x8x8x256xf32>
    linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_33, %expand_shape_36 : memref<1x8x8x256xf32>, memref<1x1x1x256xf32>) outs(%alloc_37 : memref<1x8x8x256xf32>) {
    ^bb0(%in: f32, %in_154: f32, %out: f32):
      %0 = arith.addf %in, %in_154 : f32
      %1 = arith.maximumf %0, %cst : f32
      linalg.yield %1 : f32
    }
    %subview_38 = memref.subview %alloc_37[0, 0, 0, 0] [1, 4, 4, 256] [1, 2, 2, 1] : memref<1x8x8x256xf32> to memref<1x4x4x256xf32, strided<[16384, 4096, 512, 1]>>
    %subview_39 = memref.subview %alloc_37[0, 0, 1, 0] [1, 4, 4, 256] [1, 2, 2, 1] : memref<1x8x8x256xf32> to memref<1x4x4x256xf32, strided<[16384, 4096, 512, 1], offset: 256>>
    %subview_40 = memref.subview %alloc_37[0, 1, 0, 0] [1, 4, 4, 256] [1, 2, 2, 1] : memref<1x8x8x256xf32> to memref<1x4x4x256xf32, strided<[16384, 4096, 512, 1], offset: 2048>>
    %subview_41 = memref.subview %alloc_37[0, 1, 1, 0] [1, 4, 4, 256] [1, 2, 2, 1] : memref<1x8x8x256xf32> to memref<1x4x4x256xf32, strided<[16384, 4096, 512, 1], offset: 2304>>
    %alloc_42 = memref.alloc() {alignment = 64 : i64} : memref<1x4x4x256xf32>
    linalg.generic {indexing_maps = [#map, #map, #map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%subview_38, %subview_39, %subview_40, %subview_41 : memref<1x4x4x256xf32, strided<[16384, 4096, 512, 1]>>, memref<1x4x4x256xf32, strided<[16384, 4096, 512, 1], offset: 256>>, memref<1x4x4x256xf32, strided<[16384, 4096, 512, 1], offset: 2048>>, memref<1x4x4x256xf32, strided<[16384, 4096, 512, 1], offset: 2304>>) outs(%alloc_42 : memref<1x4x4x256xf32>) {
    ^bb0(%in: f32, %in_154: f32, %in_155: f32, %in_156: f32, %out: f32):
      %0 = arith.maximumf %in, %in_154 : f32
      %1 = arith.maximumf %0, %in_155 : f32
      %2 = arith.maximumf %1, %in_156 : f32
      linalg.yield %2 : f32
    }
    %alloc_43 = memref.alloc() {alignment = 64 : i64} : memref<1x4x4x512xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_43 : memref<1x4x4x512xf32>)
    %alloc_44 = memref.alloc() {alignment = 64 : i64} : memref<1x6x6x256xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_44 : memref<1x6x6x256xf32>)
    %subview_45 = memref.subview %alloc_44[0, 1, 1, 0] [1, 4, 4, 256] [1, 1, 1, 1] : memref<1x6x6x256xf32> to memref<1x4x4x256xf32, strided<[9216, 1536, 256, 1], offset: 1792>>
    memref.copy %alloc_42, %subview_45 : memref<1x4x4x256xf32> to memref<1x4x4x256xf32, strided<[9216, 1536, 256, 1], offset: 1792>>
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_44, %arg12 : memref<1x6x6x256xf32>, memref<3x3x256x512xf32>) outs(%alloc_43 : memref<1x4x4x512xf32>)
    %expand_shape_46 = memref.expand_shape %arg13 [[0, 1, 2, 3]] output_shape [1, 1, 1, 512] : memref<512xf32> into memref<1x1x1x512xf32>
    %alloc_47 = memref.alloc() {alignment = 64 : i64} : memref<1x4x4x512xf32>
    linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_43, %expand_shape_46 : memref<1x4x4x512xf32>, memref<1x1x1x512xf32>) outs(%alloc_47 : memref<1x4x4x512xf32>) {
    ^bb0(%in: f32, %in_154: f32, %out: f32):
      %0 = arith.addf %in, %in_154 : f32
      %1 = arith.maximumf %0, %cst : f32
      linalg.yield %1 : f32
    }
    %alloc_48 = memref.alloc() {alignment = 64 : i64} : memref<1x4x4x512xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_48 : memref<1x4x4x512xf32>)
    %alloc_49 = memref.alloc() {alignment = 64 : i64} : memref<1x6x6x512xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_49 : memref<1x6x6x512xf32>)
    %subview_50 = memref.subview %alloc_49[0, 1, 1, 0] [1, 4, 4, 512] [1, 1, 1, 1] : memref<1x6x6x512xf32> to memref<1x4x4x512xf32, strided<[18432, 3072, 512, 1], offset: 3584>>
    memref.copy %alloc_47, %subview_50 : memref<1x4x4x512xf32> to memref<1x4x4x512xf32, strided<[18432, 3072, 512, 1], offset: 3584>>
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_49, %arg14 : memref<1x6x6x512xf32>, memref<3x3x512x512xf32>) outs(%alloc_48 : memref<1x4x4x512xf32>)
    %expand_shape_51 = memref.expand_shape %arg15 [[0, 1, 2, 3]] output_shape [1, 1, 1, 512] : memref<512xf32> into memref<1x1x1x512xf32>
    %alloc_52 = memref.alloc() {alignment = 64 : i64} : memref<1x4x4x512xf32>
    linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_48, %expand_shape_51 : memref<1x4x4x512xf32>, memref<1x1x1x512xf32>) outs(%alloc_52 : memref<1x4x4x512xf32>) {
    ^bb0(%in: f32, %in_154: f32, %out: f32):
      %0 = arith.addf %in, %in_154 : f32
      %1 = arith.maximumf %0, %cst : f32
      linalg.yield %1 : f32
    }
    %subview_53 = memref.subview %alloc_52[0, 0, 0, 0] [1, 2, 2, 512] [1, 2, 2, 1] : memref<1x4x4x512xf32> to memref<1x2x2x512xf32, strided<[8192, 4096, 1024, 1]>>
    %subview_54 = memref.subview %alloc_52[0, 0, 1, 0] [1, 2, 2, 512] [1, 2, 2, 1] : memref<1x4x4x512xf32> to memref<1x2x2x512xf32, strided<[8192, 4096, 1024, 1], offset: 512>>
    %subview_55 = memref.subview %alloc_52[0, 1, 0, 0] [1, 2, 2, 512] [1, 2, 2, 1] : memref<1x4x4x512xf32> to memref<1x2x2x512xf32, strided<[8192, 4096, 1024, 1], offset: 2048>>
    %subview_56 = memref.subview %alloc_52[0, 1, 1, 0] [1, 2, 2, 512] [1, 2, 2, 1] : memref<1x4x4x512xf32> to memref<1x2x2x512xf32, strided<[8192, 4096, 1024, 1], offset: 2560>>
    %alloc_57 = memref.alloc() {alignment = 64 : i64} : memref<1x2x2x512xf32>
    linalg.generic {indexing_maps = [#map, #map, #map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%subview_53, %subview_54, %subview_55, %subview_56 : memref<1x2x2x512xf32, strided<[8192, 4096, 1024, 1]>>, memref<1x2x2x512xf32, strided<[8192, 4096, 1024, 1], offset: 512>>, memref<1x2x2x512xf32, strided<[8192, 4096, 1024, 1], offset: 2048>>, memref<1x2x2x512xf32, strided<[8192, 4096, 1024, 1], offset: 2560>>) outs(%alloc_57 : memref<1x2x2x512xf32>) {
    ^bb0(%in: f32, %in_154: f32, %in_155: f32, %in_156: f32, %out: f32):
      %0 = arith.maximumf %in, %in_154 : f32
      %1 = arith.maximumf %0, %in_155 : f32
      %2 = arith.maximumf %1, %in_156 : f32
      linalg.yield %2 : f32
    }
    %alloc_58 = memref.alloc() {alignment = 64 : i64} : memref<1x2x2x1024xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_58 : memref<1x2x2x1024xf32>)
    %alloc_59 = memref.alloc() {alignment = 64 : i64} : memref<1x4x4x512xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_59 : memref<1x4x4x512xf32>)
    %subview_60 = memref.subview %alloc_59[0, 1, 1, 0] [1, 2, 2, 512] [1, 1, 1, 1] : memref<1x4x4x512xf32> to memref<1x2x2x512xf32, strided<[8192, 2048, 512, 1], offset: 2560>>
    memref.copy %alloc_57, %subview_60 : memref<1x2x2x512xf32> to memref<1x2x2x512xf32, strided<[8192, 2048, 512, 1], offset: 2560>>
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_59, %arg16 : memref<1x4x4x512xf32>, memref<3x3x512x1024xf32>) outs(%alloc_58 : memref<1x2x2x1024xf32>)
    %expand_shape_61 = memref.expand_shape %arg17 [[0, 1, 2, 3]] output_shape [1, 1, 1, 1024] : memref<1024xf32> into memref<1x1x1x1024xf32>
    %alloc_62 = memref.alloc() {alignment = 64 : i64} : memref<1x2x2x1024xf32>
    linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_58, %expand_shape_61 : memref<1x2x2x1024xf32>, memref<1x1x1x1024xf32>) outs(%alloc_62 : memref<1x2x2x1024xf32>) {
    ^bb0(%in: f32, %in_154: f32, %out: f32):
      %0 = arith.addf %in, %in_154 : f32
      %1 = arith.maximumf %0, %cst : f32
      linalg.yield %1 : f32
    }
    %alloc_63 = memref.alloc() {alignment = 64 : i64} : memref<1x2x2x1024xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_63 : memref<1x2x2x1024xf32>)
    %alloc_64 = memref.alloc() {alignment = 64 : i64} : memref<1x4x4x1024xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_64 : memref<1x4x4x1024xf32>)
    %subview_65 = memref.subview %alloc_64[0, 1, 1, 0] [1, 2, 2, 1024] [1, 1, 1, 1] : memref<1x4x4x1024xf32> to memref<1x2x2x1024xf32, strided<[16384, 4096, 1024, 1], offset: 5120>>
    memref.copy %alloc_62, %subview_65 : memref<1x2x2x1024xf32> to memref<1x2x2x1024xf32, strided<[16384, 4096, 1024, 1], offset: 5120>>
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_64, %arg18 : memref<1x4x4x1024xf32>, memref<3x3x1024x1024xf32>) outs(%alloc_63 : memref<1x2x2x1024xf32>)
    %expand_shape_66 = memref.expand_shape %arg19 [[0, 1, 2, 3]] output_shape [1, 1, 1, 1024] : memref<1024xf32> into memref<1x1x1x1024xf32>
    %alloc_67 = memref.alloc() {alignment = 64 : i64} : memref<1x2x2x1024xf32>
    linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_63, %expand_shape_66 : memref<1x2x2x1024xf32>, memref<1x1x1x1024xf32>) outs(%alloc_67 : memref<1x2x2x1024xf32>) {
    ^bb0(%in: f32, %in_154: f32, %out: f32):
      %0 = arith.addf %in, %in_154 : f32
      %1 = arith.maximumf %0, %cst : f32
      linalg.yield %1 : f32
    }
    %alloc_68 = memref.alloc() {alignment = 64 : i64} : memref<2x2x512x1024xf32>
    linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%alloc_68 : memref<2x2x512x1024xf32>) {
    ^bb0(%out: f32):
      %0 = linalg.index 0 : index
      %1 = arith.subi %c1, %0 : index
      %2 = linalg.index 1 : index
      %3 = linalg.index 2 : index
      %4 = linalg.index 3 : index
      %5 = memref.load %arg20[%1, %2, %3, %4] : memref<2x2x512x1024xf32>
      linalg.yield %5 : f32
    }
    %alloc_69 = memref.alloc() {alignment = 64 : i64} : memref<2x2x1024x512xf32>
    linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%alloc_69 : memref<2x2x1024x512xf32>) {
    ^bb0(%out: f32):
      %0 = linalg.index 0 : index
      %1 = linalg.index 1 : index
      %2 = linalg.index 2 : index
      %3 = linalg.index 3 : index
      %4 = arith.subi %c1, %1 : index
      %5 = memref.load %alloc_68[%0, %4, %3, %2] : memref<2x2x512x1024xf32>
      linalg.yield %5 : f32
    }
    %alloc_70 = memref.alloc() {alignment = 64 : i64} : memref<1x4x4x512xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_70 : memref<1x4x4x512xf32>)
    %alloc_71 = memref.alloc() {alignment = 64 : i64} : memref<1x5x5x1024xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_71 : memref<1x5x5x1024xf32>)
    %subview_72 = memref.subview %alloc_71[0, 1, 1, 0] [1, 2, 2, 1024] [1, 2, 2, 1] : memref<1x5x5x1024xf32> to memref<1x2x2x1024xf32, strided<[25600, 10240, 2048, 1], offset: 6144>>
    memref.copy %alloc_67, %subview_72 : memref<1x2x2x1024xf32> to memref<1x2x2x1024xf32, strided<[25600, 10240, 2048, 1], offset: 6144>>
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_71, %alloc_69 : memref<1x5x5x1024xf32>, memref<2x2x1024x512xf32>) outs(%alloc_70 : memref<1x4x4x512xf32>)
    %expand_shape_73 = memref.expand_shape %arg21 [[0, 1, 2, 3]] output_shape [1, 1, 1, 512] : memref<512xf32> into memref<1x1x1x512xf32>
    %alloc_74 = memref.alloc() {alignment = 64 : i64} : memref<1x4x4x512xf32>
    linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_70, %expand_shape_73 : memref<1x4x4x512xf32>, memref<1x1x1x512xf32>) outs(%alloc_74 : memref<1x4x4x512xf32>) {
    ^bb0(%in: f32, %in_154: f32, %out: f32):
      %0 = arith.addf %in, %in_154 : f32
      linalg.yield %0 : f32
    }
    %alloc_75 = memref.alloc() {alignment = 64 : i64} : memref<1x4x4x1024xf32>
    %subview_76 = memref.subview %alloc_75[0, 0, 0, 0] [1, 4, 4, 512] [1, 1, 1, 1] : memref<1x4x4x1024xf32> to memref<1x4x4x512xf32, strided<[16384, 4096, 1024, 1]>>
    memref.copy %alloc_52, %subview_76 : memref<1x4x4x512xf32> to memref<1x4x4x512xf32, strided<[16384, 4096, 1024, 1]>>
    %subview_77 = memref.subview %alloc_75[0, 0, 0, 512] [1, 4, 4, 512] [1, 1, 1, 1] : memref<1x4x4x1024xf32> to memref<1x4x4x512xf32, strided<[16384, 4096, 1024, 1], offset: 512>>
    memref.copy %alloc_74, %subview_77 : memref<1x4x4x512xf32> to memref<1x4x4x512xf32, strided<[16384, 4096, 1024, 1], offset: 512>>
    %alloc_78 = memref.alloc() {alignment = 64 : i64} : memref<1x4x4x512xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_78 : memref<1x4x4x512xf32>)
    %alloc_79 = memref.alloc() {alignment = 64 : i64} : memref<1x6x6x1024xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_79 : memref<1x6x6x1024xf32>)
    %subview_80 = memref.subview %alloc_79[0, 1, 1, 0] [1, 4, 4, 1024] [1, 1, 1, 1] : memref<1x6x6x1024xf32> to memref<1x4x4x1024xf32, strided<[36864, 6144, 1024, 1], offset: 7168>>
    memref.copy %alloc_75, %subview_80 : memref<1x4x4x1024xf32> to memref<1x4x4x1024xf32, strided<[36864, 6144, 1024, 1], offset: 7168>>
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_79, %arg22 : memref<1x6x6x1024xf32>, memref<3x3x1024x512xf32>) outs(%alloc_78 : memref<1x4x4x512xf32>)
    %expand_shape_81 = memref.expand_shape %arg23 [[0, 1, 2, 3]] output_shape [1, 1, 1, 512] : memref<512xf32> into memref<1x1x1x512xf32>
    %alloc_82 = memref.alloc() {alignment = 64 : i64} : memref<1x4x4x512xf32>
    linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_78, %expand_shape_81 : memref<1x4x4x512xf32>, memref<1x1x1x512xf32>) outs(%alloc_82 : memref<1x4x4x512xf32>) {
    ^bb0(%in: f32, %in_154: f32, %out: f32):
      %0 = arith.addf %in, %in_154 : f32
      %1 = arith.maximumf %0, %cst : f32
      linalg.yield %1 : f32
    }
    %alloc_83 = memref.alloc() {alignment = 64 : i64} : memref<1x4x4x512xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_83 : memref<1x4x4x512xf32>)
    %alloc_84 = memref.alloc() {alignment = 64 : i64} : memref<1x6x6x512xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_84 : memref<1x6x6x512xf32>)
    %subview_85 = memref.subview %alloc_84[0, 1, 1, 0] [1, 4, 4, 512] [1, 1, 1, 1] : memref<1x6x6x512xf32> to memref<1x4x4x512xf32, strided<[18432, 3072, 512, 1], offset: 3584>>
    memref.copy %alloc_82, %subview_85 : memref<1x4x4x512xf32> to memref<1x4x4x512xf32, strided<[18432, 3072, 512, 1], offset: 3584>>
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_84, %arg24 : memref<1x6x6x512xf32>, memref<3x3x512x512xf32>) outs(%alloc_83 : memref<1x4x4x512xf32>)
    %expand_shape_86 = memref.expand_shape %arg25 [[0, 1, 2, 3]] output_shape [1, 1, 1, 512] : memref<512xf32> into memref<1x1x1x512xf32>
    %alloc_87 = memref.alloc() {alignment = 64 : i64} : memref<1x4x4x512xf32>
    linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_83, %expand_shape_86 : memref<1x4x4x512xf32>, memref<1x1x1x512xf32>) outs(%alloc_87 : memref<1x4x4x512xf32>) {
    ^bb0(%in: f32, %in_154: f32, %out: f32):
      %0 = arith.addf %in, %in_154 : f32
      %1 = arith.maximumf %0, %cst : f32
      linalg.yield %1 : f32
    }
    %alloc_88 = memref.alloc() {alignment = 64 : i64} : memref<2x2x256x512xf32>
    linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%alloc_88 : memref<2x2x256x512xf32>) {
    ^bb0(%out: f32):
      %0 = linalg.index 0 : index
      %1 = arith.subi %c1, %0 : index
      %2 = linalg.index 1 : index
      %3 = linalg.index 2 : index
      %4 = linalg.index 3 : index
      %5 = memref.load %arg26[%1, %2, %3, %4] : memref<2x2x256x512xf32>
      linalg.yield %5 : f32
    }
    %alloc_89 = memref.alloc() {alignment = 64 : i64} : memref<2x2x512x256xf32>
    linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%alloc_89 : memref<2x2x512x256xf32>) {
    ^bb0(%out: f32):
      %0 = linalg.index 0 : index
      %1 = linalg.index 1 : index
      %2 = linalg.index 2 : index
      %3 = linalg.index 3 : index
      %4 = arith.subi %c1, %1 : index
      %5 = memref.load %alloc_88[%0, %4, %3, %2] : memref<2x2x256x512xf32>
      linalg.yield %5 : f32
    }
    %alloc_90 = memref.alloc() {alignment = 64 : i64} : memref<1x8x8x256xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_90 : memref<1x8x8x256xf32>)
    %alloc_91 = memref.alloc() {alignment = 64 : i64} : memref<1x9x9x512xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_91 : memref<1x9x9x512xf32>)
    %subview_92 = memref.subview %alloc_91[0, 1, 1, 0] [1, 4, 4, 512] [1, 2, 2, 1] : memref<1x9x9x512xf32> to memref<1x4x4x512xf32, strided<[41472, 9216, 1024, 1], offset: 5120>>
    memref.copy %alloc_87, %subview_92 : memref<1x4x4x512xf32> to memref<1x4x4x512xf32, strided<[41472, 9216, 1024, 1], offset: 5120>>
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_91, %alloc_89 : memref<1x9x9x512xf32>, memref<2x2x512x256xf32>) outs(%alloc_90 : memref<1x8x8x256xf32>)
    %expand_shape_93 = memref.expand_shape %arg27 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : memref<256xf32> into memref<1x1x1x256xf32>
    %alloc_94 = memref.alloc() {alignment = 64 : i64} : memref<1x8x8x256xf32>
    linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_90, %expand_shape_93 : memref<1x8x8x256xf32>, memref<1x1x1x256xf32>) outs(%alloc_94 : memref<1x8x8x256xf32>) {
    ^bb0(%in: f32, %in_154: f32, %out: f32):
      %0 = arith.addf %in, %in_154 : f32
      linalg.yield %0 : f32
    }
    %alloc_95 = memref.alloc() {alignment = 64 : i64} : memref<1x8x8x512xf32>
    %subview_96 = memref.subview %alloc_95[0, 0, 0, 0] [1, 8, 8, 256] [1, 1, 1, 1] : memref<1x8x8x512xf32> to memref<1x8x8x256xf32, strided<[32768, 4096, 512, 1]>>
    memref.copy %alloc_37, %subview_96 : memref<1x8x8x256xf32> to memref<1x8x8x256xf32, strided<[32768, 4096, 512, 1]>>
    %subview_97 = memref.subview %alloc_95[0, 0, 0, 256] [1, 8, 8, 256] [1, 1, 1, 1] : memref<1x8x8x512xf32> to memref<1x8x8x256xf32, strided<[32768, 4096, 512, 1], offset: 256>>
    memref.copy %alloc_94, %subview_97 : memref<1x8x8x256xf32> to memref<1x8x8x256xf32, strided<[32768, 4096, 512, 1], offset: 256>>
    %alloc_98 = memref.alloc() {alignment = 64 : i64} : memref<1x8x8x256xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_98 : memref<1x8x8x256xf32>)
    %alloc_99 = memref.alloc() {alignment = 64 : i64} : memref<1x10x10x512xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_99 : memref<1x10x10x512xf32>)
    %subview_100 = memref.subview %alloc_99[0, 1, 1, 0] [1, 8, 8, 512] [1, 1, 1, 1] : memref<1x10x10x512xf32> to memref<1x8x8x512xf32, strided<[51200, 5120, 512, 1], offset: 5632>>
    memref.copy %alloc_95, %subview_100 : memref<1x8x8x512xf32> to memref<1x8x8x512xf32, strided<[51200, 5120, 512, 1], offset: 5632>>
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_99, %arg28 : memref<1x10x10x512xf32>, memref<3x3x512x256xf32>) outs(%alloc_98 : memref<1x8x8x256xf32>)
    %expand_shape_101 = memref.expand_shape %arg29 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : memref<256xf32> into memref<1x1x1x256xf32>
    %alloc_102 = memref.alloc() {alignment = 64 : i64} : memref<1x8x8x256xf32>
    linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_98, %expand_shape_101 : memref<1x8x8x256xf32>, memref<1x1x1x256xf32>) outs(%alloc_102 : memref<1x8x8x256xf32>) {
    ^bb0(%in: f32, %in_154: f32, %out: f32):
      %0 = arith.addf %in, %in_154 : f32
      %1 = arith.maximumf %0, %cst : f32
      linalg.yield %1 : f32
    }
    %alloc_103 = memref.alloc() {alignment = 64 : i64} : memref<1x8x8x256xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_103 : memref<1x8x8x256xf32>)
    %alloc_104 = memref.alloc() {alignment = 64 : i64} : memref<1x10x10x256xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_104 : memref<1x10x10x256xf32>)
    %subview_105 = memref.subview %alloc_104[0, 1, 1, 0] [1, 8, 8, 256] [1, 1, 1, 1] : memref<1x10x10x256xf32> to memref<1x8x8x256xf32, strided<[25600, 2560, 256, 1], offset: 2816>>
    memref.copy %alloc_102, %subview_105 : memref<1x8x8x256xf32> to memref<1x8x8x256xf32, strided<[25600, 2560, 256, 1], offset: 2816>>
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_104, %arg30 : memref<1x10x10x256xf32>, memref<3x3x256x256xf32>) outs(%alloc_103 : memref<1x8x8x256xf32>)
    %expand_shape_106 = memref.expand_shape %arg31 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : memref<256xf32> into memref<1x1x1x256xf32>
    %alloc_107 = memref.alloc() {alignment = 64 : i64} : memref<1x8x8x256xf32>
    linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_103, %expand_shape_106 : memref<1x8x8x256xf32>, memref<1x1x1x256xf32>) outs(%alloc_107 : memref<1x8x8x256xf32>) {
    ^bb0(%in: f32, %in_154: f32, %out: f32):
      %0 = arith.addf %in, %in_154 : f32
      %1 = arith.maximumf %0, %cst : f32
      linalg.yield %1 : f32
    }
    %alloc_108 = memref.alloc() {alignment = 64 : i64} : memref<2x2x128x256xf32>
    linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%alloc_108 : memref<2x2x128x256xf32>) {
    ^bb0(%out: f32):
      %0 = linalg.index 0 : index
      %1 = arith.subi %c1, %0 : index
      %2 = linalg.index 1 : index
      %3 = linalg.index 2 : index
      %4 = linalg.index 3 : index
      %5 = memref.load %arg32[%1, %2, %3, %4] : memref<2x2x128x256xf32>
      linalg.yield %5 : f32
    }
    %alloc_109 = memref.alloc() {alignment = 64 : i64} : memref<2x2x256x128xf32>
    linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%alloc_109 : memref<2x2x256x128xf32>) {
    ^bb0(%out: f32):
      %0 = linalg.index 0 : index
      %1 = linalg.index 1 : index
      %2 = linalg.index 2 : index
      %3 = linalg.index 3 : index
      %4 = arith.subi %c1, %1 : index
      %5 = memref.load %alloc_108[%0, %4, %3, %2] : memref<2x2x128x256xf32>
      linalg.yield %5 : f32
    }
    %alloc_110 = memref.alloc() {alignment = 64 : i64} : memref<1x16x16x128xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_110 : memref<1x16x16x128xf32>)
    %alloc_111 = memref.alloc() {alignment = 64 : i64} : memref<1x17x17x256xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_111 : memref<1x17x17x256xf32>)
    %subview_112 = memref.subview %alloc_111[0, 1, 1, 0] [1, 8, 8, 256] [1, 2, 2, 1] : memref<1x17x17x256xf32> to memref<1x8x8x256xf32, strided<[73984, 8704, 512, 1], offset: 4608>>
    memref.copy %alloc_107, %subview_112 : memref<1x8x8x256xf32> to memref<1x8x8x256xf32, strided<[73984, 8704, 512, 1], offset: 4608>>
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_111, %alloc_109 : memref<1x17x17x256xf32>, memref<2x2x256x128xf32>) outs(%alloc_110 : memref<1x16x16x128xf32>)
    %expand_shape_113 = memref.expand_shape %arg33 [[0, 1, 2, 3]] output_shape [1, 1, 1, 128] : memref<128xf32> into memref<1x1x1x128xf32>
    %alloc_114 = memref.alloc() {alignment = 64 : i64} : memref<1x16x16x128xf32>
    linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_110, %expand_shape_113 : memref<1x16x16x128xf32>, memref<1x1x1x128xf32>) outs(%alloc_114 : memref<1x16x16x128xf32>) {
    ^bb0(%in: f32, %in_154: f32, %out: f32):
      %0 = arith.addf %in, %in_154 : f32
      linalg.yield %0 : f32
    }
    %alloc_115 = memref.alloc() {alignment = 64 : i64} : memref<1x16x16x256xf32>
    %subview_116 = memref.subview %alloc_115[0, 0, 0, 0] [1, 16, 16, 128] [1, 1, 1, 1] : memref<1x16x16x256xf32> to memref<1x16x16x128xf32, strided<[65536, 4096, 256, 1]>>
    memref.copy %alloc_22, %subview_116 : memref<1x16x16x128xf32> to memref<1x16x16x128xf32, strided<[65536, 4096, 256, 1]>>
    %subview_117 = memref.subview %alloc_115[0, 0, 0, 128] [1, 16, 16, 128] [1, 1, 1, 1] : memref<1x16x16x256xf32> to memref<1x16x16x128xf32, strided<[65536, 4096, 256, 1], offset: 128>>
    memref.copy %alloc_114, %subview_117 : memref<1x16x16x128xf32> to memref<1x16x16x128xf32, strided<[65536, 4096, 256, 1], offset: 128>>
    %alloc_118 = memref.alloc() {alignment = 64 : i64} : memref<1x16x16x128xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_118 : memref<1x16x16x128xf32>)
    %alloc_119 = memref.alloc() {alignment = 64 : i64} : memref<1x18x18x256xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_119 : memref<1x18x18x256xf32>)
    %subview_120 = memref.subview %alloc_119[0, 1, 1, 0] [1, 16, 16, 256] [1, 1, 1, 1] : memref<1x18x18x256xf32> to memref<1x16x16x256xf32, strided<[82944, 4608, 256, 1], offset: 4864>>
    memref.copy %alloc_115, %subview_120 : memref<1x16x16x256xf32> to memref<1x16x16x256xf32, strided<[82944, 4608, 256, 1], offset: 4864>>
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_119, %arg34 : memref<1x18x18x256xf32>, memref<3x3x256x128xf32>) outs(%alloc_118 : memref<1x16x16x128xf32>)
    %expand_shape_121 = memref.expand_shape %arg35 [[0, 1, 2, 3]] output_shape [1, 1, 1, 128] : memref<128xf32> into memref<1x1x1x128xf32>
    %alloc_122 = memref.alloc() {alignment = 64 : i64} : memref<1x16x16x128xf32>
    linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_118, %expand_shape_121 : memref<1x16x16x128xf32>, memref<1x1x1x128xf32>) outs(%alloc_122 : memref<1x16x16x128xf32>) {
    ^bb0(%in: f32, %in_154: f32, %out: f32):
      %0 = arith.addf %in, %in_154 : f32
      %1 = arith.maximumf %0, %cst : f32
      linalg.yield %1 : f32
    }
    %alloc_123 = memref.alloc() {alignment = 64 : i64} : memref<1x16x16x128xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_123 : memref<1x16x16x128xf32>)
    %alloc_124 = memref.alloc() {alignment = 64 : i64} : memref<1x18x18x128xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_124 : memref<1x18x18x128xf32>)
    %subview_125 = memref.subview %alloc_124[0, 1, 1, 0] [1, 16, 16, 128] [1, 1, 1, 1] : memref<1x18x18x128xf32> to memref<1x16x16x128xf32, strided<[41472, 2304, 128, 1], offset: 2432>>
    memref.copy %alloc_122, %subview_125 : memref<1x16x16x128xf32> to memref<1x16x16x128xf32, strided<[41472, 2304, 128, 1], offset: 2432>>
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_124, %arg36 : memref<1x18x18x128xf32>, memref<3x3x128x128xf32>) outs(%alloc_123 : memref<1x16x16x128xf32>)
    %expand_shape_126 = memref.expand_shape %arg37 [[0, 1, 2, 3]] output_shape [1, 1, 1, 128] : memref<128xf32> into memref<1x1x1x128xf32>
    %alloc_127 = memref.alloc() {alignment = 64 : i64} : memref<1x16x16x128xf32>
    linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_123, %expand_shape_126 : memref<1x16x16x128xf32>, memref<1x1x1x128xf32>) outs(%alloc_127 : memref<1x16x16x128xf32>) {
    ^bb0(%in: f32, %in_154: f32, %out: f32):
      %0 = arith.addf %in, %in_154 : f32
      %1 = arith.maximumf %0, %cst : f32
      linalg.yield %1 : f32
    }
    %alloc_128 = memref.alloc() {alignment = 64 : i64} : memref<2x2x64x128xf32>
    linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%alloc_128 : memref<2x2x64x128xf32>) {
    ^bb0(%out: f32):
      %0 = linalg.index 0 : index
      %1 = arith.subi %c1, %0 : index
      %2 = linalg.index 1 : index
      %3 = linalg.index 2 : index
      %4 = linalg.index 3 : index
      %5 = memref.load %arg38[%1, %2, %3, %4] : memref<2x2x64x128xf32>
      linalg.yield %5 : f32
    }
    %alloc_129 = memref.alloc() {alignment = 64 : i64} : memref<2x2x128x64xf32>
    linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%alloc_129 : memref<2x2x128x64xf32>) {
    ^bb0(%out: f32):
      %0 = linalg.index 0 : index
      %1 = linalg.index 1 : index
      %2 = linalg.index 2 : index
      %3 = linalg.index 3 : index
      %4 = arith.subi %c1, %1 : index
      %5 = memref.load %alloc_128[%0, %4, %3, %2] : memref<2x2x64x128xf32>
      linalg.yield %5 : f32
    }
    %alloc_130 = memref.alloc() {alignment = 64 : i64} : memref<1x32x32x64xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_130 : memref<1x32x32x64xf32>)
    %alloc_131 = memref.alloc() {alignment = 64 : i64} : memref<1x33x33x128xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_131 : memref<1x33x33x128xf32>)
    %subview_132 = memref.subview %alloc_131[0, 1, 1, 0] [1, 16, 16, 128] [1, 2, 2, 1] : memref<1x33x33x128xf32> to memref<1x16x16x128xf32, strided<[139392, 8448, 256, 1], offset: 4352>>
    memref.copy %alloc_127, %subview_132 : memref<1x16x16x128xf32> to memref<1x16x16x128xf32, strided<[139392, 8448, 256, 1], offset: 4352>>
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_131, %alloc_129 : memref<1x33x33x128xf32>, memref<2x2x128x64xf32>) outs(%alloc_130 : memref<1x32x32x64xf32>)
    %expand_shape_133 = memref.expand_shape %arg39 [[0, 1, 2, 3]] output_shape [1, 1, 1, 64] : memref<64xf32> into memref<1x1x1x64xf32>
    %alloc_134 = memref.alloc() {alignment = 64 : i64} : memref<1x32x32x64xf32>
    linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_130, %expand_shape_133 : memref<1x32x32x64xf32>, memref<1x1x1x64xf32>) outs(%alloc_134 : memref<1x32x32x64xf32>) {
    ^bb0(%in: f32, %in_154: f32, %out: f32):
      %0 = arith.addf %in, %in_154 : f32
      linalg.yield %0 : f32
    }
    %alloc_135 = memref.alloc() {alignment = 64 : i64} : memref<1x32x32x128xf32>
    %subview_136 = memref.subview %alloc_135[0, 0, 0, 0] [1, 32, 32, 64] [1, 1, 1, 1] : memref<1x32x32x128xf32> to memref<1x32x32x64xf32, strided<[131072, 4096, 128, 1]>>
    memref.copy %alloc_7, %subview_136 : memref<1x32x32x64xf32> to memref<1x32x32x64xf32, strided<[131072, 4096, 128, 1]>>
    %subview_137 = memref.subview %alloc_135[0, 0, 0, 64] [1, 32, 32, 64] [1, 1, 1, 1] : memref<1x32x32x128xf32> to memref<1x32x32x64xf32, strided<[131072, 4096, 128, 1], offset: 64>>
    memref.copy %alloc_134, %subview_137 : memref<1x32x32x64xf32> to memref<1x32x32x64xf32, strided<[131072, 4096, 128, 1], offset: 64>>
    %alloc_138 = memref.alloc() {alignment = 64 : i64} : memref<1x32x32x64xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_138 : memref<1x32x32x64xf32>)
    %alloc_139 = memref.alloc() {alignment = 64 : i64} : memref<1x34x34x128xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_139 : memref<1x34x34x128xf32>)
    %subview_140 = memref.subview %alloc_139[0, 1, 1, 0] [1, 32, 32, 128] [1, 1, 1, 1] : memref<1x34x34x128xf32> to memref<1x32x32x128xf32, strided<[147968, 4352, 128, 1], offset: 4480>>
    memref.copy %alloc_135, %subview_140 : memref<1x32x32x128xf32> to memref<1x32x32x128xf32, strided<[147968, 4352, 128, 1], offset: 4480>>
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_139, %arg40 : memref<1x34x34x128xf32>, memref<3x3x128x64xf32>) outs(%alloc_138 : memref<1x32x32x64xf32>)
    %expand_shape_141 = memref.expand_shape %arg41 [[0, 1, 2, 3]] output_shape [1, 1, 1, 64] : memref<64xf32> into memref<1x1x1x64xf32>
    %alloc_142 = memref.alloc() {alignment = 64 : i64} : memref<1x32x32x64xf32>
    linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_138, %expand_shape_141 : memref<1x32x32x64xf32>, memref<1x1x1x64xf32>) outs(%alloc_142 : memref<1x32x32x64xf32>) {
    ^bb0(%in: f32, %in_154: f32, %out: f32):
      %0 = arith.addf %in, %in_154 : f32
      %1 = arith.maximumf %0, %cst : f32
      linalg.yield %1 : f32
    }
    %alloc_143 = memref.alloc() {alignment = 64 : i64} : memref<1x32x32x64xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_143 : memref<1x32x32x64xf32>)
    %alloc_144 = memref.alloc() {alignment = 64 : i64} : memref<1x34x34x64xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_144 : memref<1x34x34x64xf32>)
    %subview_145 = memref.subview %alloc_144[0, 1, 1, 0] [1, 32, 32, 64] [1, 1, 1, 1] : memref<1x34x34x64xf32> to memref<1x32x32x64xf32, strided<[73984, 2176, 64, 1], offset: 2240>>
    memref.copy %alloc_142, %subview_145 : memref<1x32x32x64xf32> to memref<1x32x32x64xf32, strided<[73984, 2176, 64, 1], offset: 2240>>
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_144, %arg42 : memref<1x34x34x64xf32>, memref<3x3x64x64xf32>) outs(%alloc_143 : memref<1x32x32x64xf32>)
    %expand_shape_146 = memref.expand_shape %arg43 [[0, 1, 2, 3]] output_shape [1, 1, 1, 64] : memref<64xf32> into memref<1x1x1x64xf32>
    %alloc_147 = memref.alloc() {alignment = 64 : i64} : memref<1x32x32x64xf32>
    linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_143, %expand_shape_146 : memref<1x32x32x64xf32>, memref<1x1x1x64xf32>) outs(%alloc_147 : memref<1x32x32x64xf32>) {
    ^bb0(%in: f32, %in_154: f32, %out: f32):
      %0 = arith.addf %in, %in_154 : f32
      %1 = arith.maximumf %0, %cst : f32
      linalg.yield %1 : f32
    }
    %alloc_148 = memref.alloc() {alignment = 64 : i64} : memref<1x32x32x2xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_148 : memref<1x32x32x2xf32>)
    linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%alloc_147, %arg44 : memref<1x32x32x64xf32>, memref<1x1x64x2xf32>) outs(%alloc_148 : memref<1x32x32x2xf32>)
    %expand_shape_149 = memref.expand_shape %arg45 [[0, 1, 2, 3]] output_shape [1, 1, 1, 2] : memref<2xf32> into memref<1x1x1x2xf32>
    %alloc_150 = memref.alloc() {alignment = 64 : i64} : memref<1x32x32x2xf32>
    linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_148, %expand_shape_149 : memref<1x32x32x2xf32>, memref<1x1x1x2xf32>) outs(%alloc_150 : memref<1x32x32x2xf32>) {
    ^bb0(%in: f32, %in_154: f32, %out: f32):
      %0 = arith.addf %in, %in_154 : f32
      linalg.yield %0 : f32
    }
    %alloc_151 = memref.alloc() {alignment = 64 : i64} : memref<1x32x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_151 : memref<1x32x32xf32>)
    linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%alloc_150 : memref<1x32x32x2xf32>) outs(%alloc_151 : memref<1x32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.maximumf %out, %in : f32
      linalg.yield %0 : f32
    }
    %alloc_152 = memref.alloc() {alignment = 64 : i64} : memref<1x32x32x2xf32>
    linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_150, %alloc_151 : memref<1x32x32x2xf32>, memref<1x32x32xf32>) outs(%alloc_152 : memref<1x32x32x2xf32>) {
    ^bb0(%in: f32, %in_154: f32, %out: f32):
      %0 = arith.subf %in, %in_154 : f32
      %1 = math.exp %0 : f32
      linalg.yield %1 : f32
    }
    %alloc_153 = memref.alloc() {alignment = 64 : i64} : memref<1x32x32xf32>
    linalg.fill ins(%cst : f32) outs(%alloc_153 : memref<1x32x32xf32>)
    linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%alloc_152 : memref<1x32x32x2xf32>) outs(%alloc_153 : memref<1x32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.addf %out, %in : f32
      linalg.yield %0 : f32
    }
    linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_152, %alloc_153 : memref<1x32x32x2xf32>, memref<1x32x32xf32>) outs(%arg47 : memref<1x32x32x2xf32>) {
    ^bb0(%in: f32, %in_154: f32, %out: f32):
      %0 = arith.divf %in, %in_154 : f32
      linalg.yield %0 : f32
    }
    return
  }
}

