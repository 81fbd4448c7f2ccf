#map = affine_map<(d0, d1, d2) -> (d0, d1)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map4 = affine_map<(d0, d1, d2) -> (d2)>
#map5 = affine_map<(d0, d1) -> (d0, d1)>
#map6 = affine_map<(d0, d1) -> (d1)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d1, d3)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>
#map10 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map11 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map12 = affine_map<(d0, d1) -> (d1, d0)>
#map13 = affine_map<(d0, d1) -> (d0)>
#map14 = affine_map<(d0, d1) -> (0, d1)>
#map15 = affine_map<(d0) -> (d0)>
#map16 = affine_map<(d0) -> ()>
#map17 = affine_map<(d0, d1, d2) -> (d1, d2, d0)>
#map18 = affine_map<(d0, d1, d2) -> (d0)>
#map19 = affine_map<(d0, d1, d2) -> (d0, d2, d1)>
#map20 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3, d1)>
#map21 = affine_map<(d0, d1, d2) -> (d2, d0, d1)>
module @jit_main {
  func.func public @main(%arg0: memref<64xf32>, %arg1: memref<256x64xf32>, %arg2: memref<64xf32>, %arg3: memref<64x64xf32>, %arg4: memref<64xf32>, %arg5: memref<64xf32>, %arg6: memref<64xf32>, %arg7: memref<64xf32>, %arg8: memref<64xf32>, %arg9: memref<64x64xf32>, %arg10: memref<64xf32>, %arg11: memref<64x64xf32>, %arg12: memref<256xf32>, %arg13: memref<64x256xf32>, %arg14: memref<64xf32>, %arg15: memref<64x64xf32>, %arg16: memref<64xf32>, %arg17: memref<256x64xf32>, %arg18: memref<64xf32>, %arg19: memref<64x64xf32>, %arg20: memref<64xf32>, %arg21: memref<64xf32>, %arg22: memref<64xf32>, %arg23: memref<64xf32>, %arg24: memref<64xf32>, %arg25: memref<64x64xf32>, %arg26: memref<64xf32>, %arg27: memref<64x64xf32>, %arg28: memref<256xf32>, %arg29: memref<64x256xf32>, %arg30: memref<64xf32>, %arg31: memref<64x64xf32>, %arg32: memref<64xf32>, %arg33: memref<256x64xf32>, %arg34: memref<64xf32>, %arg35: memref<64x64xf32>, %arg36: memref<64xf32>, %arg37: memref<64xf32>, %arg38: memref<64xf32>, %arg39: memref<64xf32>, %arg40: memref<64xf32>, %arg41: memref<64x64xf32>, %arg42: memref<64xf32>, %arg43: memref<64x64xf32>, %arg44: memref<256xf32>, %arg45: memref<64x256xf32>, %arg46: memref<64xf32>, %arg47: memref<64x64xf32>, %arg48: memref<64xf32>, %arg49: memref<256x64xf32>, %arg50: memref<64xf32>, %arg51: memref<64x64xf32>, %arg52: memref<64xf32>, %arg53: memref<64xf32>, %arg54: memref<64xf32>, %arg55: memref<64xf32>, %arg56: memref<64xf32>, %arg57: memref<64x64xf32>, %arg58: memref<64xf32>, %arg59: memref<64x64xf32>, %arg60: memref<256xf32>, %arg61: memref<64x256xf32>, %arg62: memref<64xf32>, %arg63: memref<64x64xf32>, %arg64: memref<64xf32>, %arg65: memref<64xf32>, %arg66: memref<64x64xf32>, %arg67: memref<512x64xf32>, %arg68: memref<64xf32>, %arg69: memref<256x64xf32>, %arg70: memref<64xf32>, %arg71: memref<64x64xf32>, %arg72: memref<64xf32>, %arg73: memref<64xf32>, %arg74: memref<64xf32>, %arg75: memref<64xf32>, %arg76: memref<64xf32>, %arg77: memref<64x64xf32>, %arg78: memref<64xf32>, %arg79: memref<64x64xf32>, %arg80: memref<256xf32>, %arg81: memref<64x256xf32>, %arg82: memref<64xf32>, %arg83: memref<64x64xf32>, %arg84: memref<64xf32>, %arg85: memref<256x64xf32>, %arg86: memref<64xf32>, %arg87: memref<64x64xf32>, %arg88: memref<64xf32>, %arg89: memref<64xf32>, %arg90: memref<64xf32>, %arg91: memref<64xf32>, %arg92: memref<64xf32>, %arg93: memref<64x64xf32>, %arg94: memref<64xf32>, %arg95: memref<64x64xf32>, %arg96: memref<256xf32>, %arg97: memref<64x256xf32>, %arg98: memref<64xf32>, %arg99: memref<64x64xf32>, %arg100: memref<64xf32>, %arg101: memref<256x64xf32>, %arg102: memref<64xf32>, %arg103: memref<64x64xf32>, %arg104: memref<64xf32>, %arg105: memref<64xf32>, %arg106: memref<64xf32>, %arg107: memref<64xf32>, %arg108: memref<64xf32>, %arg109: memref<64x64xf32>, %arg110: memref<64xf32>, %arg111: memref<64x64xf32>, %arg112: memref<256xf32>, %arg113: memref<64x256xf32>, %arg114: memref<64xf32>, %arg115: memref<64x64xf32>, %arg116: memref<64xf32>, %arg117: memref<256x64xf32>, %arg118: memref<64xf32>, %arg119: memref<64x64xf32>, %arg120: memref<64xf32>, %arg121: memref<64xf32>, %arg122: memref<64xf32>, %arg123: memref<64xf32>, %arg124: memref<64xf32>, %arg125: memref<64x64xf32>, %arg126: memref<64xf32>, %arg127: memref<64x64xf32>, %arg128: memref<256xf32>, %arg129: memref<64x256xf32>, %arg130: memref<64xf32>, %arg131: memref<64x64xf32>, %arg132: memref<64xf32>, %arg133: memref<64xf32>, %arg134: memref<64x64xf32>, %arg135: memref<512x64xf32>, %arg136: memref<64xf32>, %arg137: memref<256x64xf32>, %arg138: memref<64xf32>, %arg139: memref<64x64xf32>, %arg140: memref<64xf32>, %arg141: memref<64xf32>, %arg142: memref<64xf32>, %arg143: memref<64xf32>, %arg144: memref<64xf32>, %arg145: memref<64x64xf32>, %arg146: memref<64xf32>, %arg147: memref<64x64xf32>, %arg148: memref<256xf32>, %arg149: memref<64x256xf32>, %arg150: memref<64xf32>, %arg151: memref<64x64xf32>, %arg152: memref<64xf32>, %arg153: memref<256x64xf32>, %arg154: memref<64xf32>, %arg155: memref<64x64xf32>, %arg156: memref<64xf32>, %arg157: memref<64xf32>, %arg158: memref<64xf32>, %arg159: memref<64xf32>, %arg160: memref<64xf32>, %arg161: memref<64x64xf32>, %arg162: memref<64xf32>, %arg163: memref<64x64xf32>, %arg164: memref<256xf32>, %arg165: memref<64x256xf32>, %arg166: memref<64xf32>, %arg167: memref<64x64xf32>, %arg168: memref<64xf32>, %arg169: memref<256x64xf32>, %arg170: memref<64xf32>, %arg171: memref<64x64xf32>, %arg172: memref<64xf32>, %arg173: memref<64xf32>, %arg174: memref<64xf32>, %arg175: memref<64xf32>, %arg176: memref<64xf32>, %arg177: memref<64x64xf32>, %arg178: memref<64xf32>, %arg179: memref<64x64xf32>, %arg180: memref<256xf32>, %arg181: memref<64x256xf32>, %arg182: memref<64xf32>, %arg183: memref<64x64xf32>, %arg184: memref<64xf32>, %arg185: memref<256x64xf32>, %arg186: memref<64xf32>, %arg187: memref<64x64xf32>, %arg188: memref<64xf32>, %arg189: memref<64xf32>, %arg190: memref<64xf32>, %arg191: memref<64xf32>, %arg192: memref<64xf32>, %arg193: memref<64x64xf32>, %arg194: memref<64xf32>, %arg195: memref<64x64xf32>, %arg196: memref<256xf32>, %arg197: memref<64x256xf32>, %arg198: memref<64xf32>, %arg199: memref<64x64xf32>, %arg200: memref<64xf32>, %arg201: memref<64xf32>, %arg202: memref<64x64xf32>, %arg203: memref<512x64xf32>, %arg204: memref<8x32xi32>, %arg205: memref<8x32xi32>, %arg206: memref<64xf32> {bufferize.result}, %arg207: memref<256x64xf32> {bufferize.result}, %arg208: memref<64xf32> {bufferize.result}, %arg209: memref<64x64xf32> {bufferize.result}, %arg210: memref<64xf32> {bufferize.result}, %arg211: memref<64xf32> {bufferize.result}, %arg212: memref<64xf32> {bufferize.result}, %arg213: memref<64xf32> {bufferize.result}, %arg214: memref<64xf32> {bufferize.result}, %arg215: memref<64x64xf32> {bufferize.result}, %arg216: memref<64xf32> {bufferize.result}, %arg217: memref<64x64xf32> {bufferize.result}, %arg218: memref<256xf32> {bufferize.result}, %arg219: memref<64x256xf32> {bufferize.result}, %arg220: memref<64xf32> {bufferize.result}, %arg221: memref<64x64xf32> {bufferize.result}, %arg222: memref<64xf32> {bufferize.result}, %arg223: memref<256x64xf32> {bufferize.result}, %arg224: memref<64xf32> {bufferize.result}, %arg225: memref<64x64xf32> {bufferize.result}, %arg226: memref<64xf32> {bufferize.result}, %arg227: memref<64xf32> {bufferize.result}, %arg228: memref<64xf32> {bufferize.result}, %arg229: memref<64xf32> {bufferize.result}, %arg230: memref<64xf32> {bufferize.result}, %arg231: memref<64x64xf32> {bufferize.result}, %arg232: memref<64xf32> {bufferize.result}, %arg233: memref<64x64xf32> {bufferize.result}, %arg234: memref<256xf32> {bufferize.result}, %arg235: memref<64x256xf32> {bufferize.result}, %arg236: memref<64xf32> {bufferize.result}, %arg237: memref<64x64xf32> {bufferize.result}, %arg238: memref<64xf32> {bufferize.result}, %arg239: memref<256x64xf32> {bufferize.result}, %arg240: memref<64xf32> {bufferize.result}, %arg241: memref<64x64xf32> {bufferize.result}, %arg242: memref<64xf32> {bufferize.result}, %arg243: memref<64xf32> {bufferize.result}, %arg244: memref<64xf32> {bufferize.result}, %arg245: memref<64xf32> {bufferize.result}, %arg246: memref<64xf32> {bufferize.result}, %arg247: memref<64x64xf32> {bufferize.result}, %arg248: memref<64xf32> {bufferize.result}, %arg249: memref<64x64xf32> {bufferize.result}, %arg250: memref<256xf32> {bufferize.result}, %arg251: memref<64x256xf32> {bufferize.result}, %arg252: memref<64xf32> {bufferize.result}, %arg253: memref<64x64xf32> {bufferize.result}, %arg254: memref<64xf32> {bufferize.result}, %arg255: memref<256x64xf32> {bufferize.result}, %arg256: memref<64xf32> {bufferize.result}, %arg257: memref<64x64xf32> {bufferize.result}, %arg258: memref<64xf32> {bufferize.result}, %arg259: memref<64xf32> {bufferize.result}, %arg260: memref<64xf32> {bufferize.result}, %arg261: memref<64xf32> {bufferize.result}, %arg262: memref<64xf32> {bufferize.result}, %arg263: memref<64x64xf32> {bufferize.result}, %arg264: memref<64xf32> {bufferize.result}, %arg265: memref<64x64xf32> {bufferize.result}, %arg266: memref<256xf32> {bufferize.result}, %arg267: memref<64x256xf32> {bufferize.result}, %arg268: memref<64xf32> {bufferize.result}, %arg269: memref<64x64xf32> {bufferize.result}, %arg270: memref<64xf32> {bufferize.result}, %arg271: memref<64xf32> {bufferize.result}, %arg272: memref<64x64xf32> {bufferize.result}, %arg273: memref<512x64xf32> {bufferize.result}, %arg274: memref<64xf32> {bufferize.result}, %arg275: memref<256x64xf32> {bufferize.result}, %arg276: memref<64xf32> {bufferize.result}, %arg277: memref<64x64xf32> {bufferize.result}, %arg278: memref<64xf32> {bufferize.result}, %arg279: memref<64xf32> {bufferize.result}, %arg280: memref<64xf32> {bufferize.result}, %arg281: memref<64xf32> {bufferize.result}, %arg282: memref<64xf32> {bufferize.result}, %arg283: memref<64x64xf32> {bufferize.result}, %arg284: memref<64xf32> {bufferize.result}, %arg285: memref<64x64xf32> {bufferize.result}, %arg286: memref<256xf32> {bufferize.result}, %arg287: memref<64x256xf32> {bufferize.result}, %arg288: memref<64xf32> {bufferize.result}, %arg289: memref<64x64xf32> {bufferize.result}, %arg290: memref<64xf32> {bufferize.result}, %arg291: memref<256x64xf32> {bufferize.result}, %arg292: memref<64xf32> {bufferize.result}, %arg293: memref<64x64xf32> {bufferize.result}, %arg294: memref<64xf32> {bufferize.result}, %arg295: memref<64xf32> {bufferize.result}, %arg296: memref<64xf32> {bufferize.result}, %arg297: memref<64xf32> {bufferize.result}, %arg298: memref<64xf32> {bufferize.result}, %arg299: memref<64x64xf32> {bufferize.result}, %arg300: memref<64xf32> {bufferize.result}, %arg301: memref<64x64xf32> {bufferize.result}, %arg302: memref<256xf32> {bufferize.result}, %arg303: memref<64x256xf32> {bufferize.result}, %arg304: memref<64xf32> {bufferize.result}, %arg305: memref<64x64xf32> {bufferize.result}, %arg306: memref<64xf32> {bufferize.result}, %arg307: memref<256x64xf32> {bufferize.result}, %arg308: memref<64xf32> {bufferize.result}, %arg309: memref<64x64xf32> {bufferize.result}, %arg310: memref<64xf32> {bufferize.result}, %arg311: memref<64xf32> {bufferize.result}, %arg312: memref<64xf32> {bufferize.result}, %arg313: memref<64xf32> {bufferize.result}, %arg314: memref<64xf32> {bufferize.result}, %arg315: memref<64x64xf32> {bufferize.result}, %arg316: memref<64xf32> {bufferize.result}, %arg317: memref<64x64xf32> {bufferize.result}, %arg318: memref<256xf32> {bufferize.result}, %arg319: memref<64x256xf32> {bufferize.result}, %arg320: memref<64xf32> {bufferize.result}, %arg321: memref<64x64xf32> {bufferize.result}, %arg322: memref<64xf32> {bufferize.result}, %arg323: memref<256x64xf32> {bufferize.result}, %arg324: memref<64xf32> {bufferize.result}, %arg325: memref<64x64xf32> {bufferize.result}, %arg326: memref<64xf32> {bufferize.result}, %arg327: memref<64xf32> {bufferize.result}, %arg328: memref<64xf32> {bufferize.result}, %arg329: memref<64xf32> {bufferize.result}, %arg330: memref<64xf32> {bufferize.result}, %arg331: memref<64x64xf32> {bufferize.result}, %arg332: memref<64xf32> {bufferize.result}, %arg333: memref<64x64xf32> {bufferize.result}, %arg334: memref<256xf32> {bufferize.result}, %arg335: memref<64x256xf32> {bufferize.result}, %arg336: memref<64xf32> {bufferize.result}, %arg337: memref<64x64xf32> {bufferize.result}, %arg338: memref<64xf32> {bufferize.result}, %arg339: memref<64xf32> {bufferize.result}, %arg340: memref<64x64xf32> {bufferize.result}, %arg341: memref<512x64xf32> {bufferize.result}, %arg342: memref<64xf32> {bufferize.result}, %arg343: memref<256x64xf32> {bufferize.result}, %arg344: memref<64xf32> {bufferize.result}, %arg345: memref<64x64xf32> {bufferize.result}, %arg346: memref<64xf32> {bufferize.result}, %arg347: memref<64xf32> {bufferize.result}, %arg348: memref<64xf32> {bufferize.result}, %arg349: memref<64xf32> {bufferize.result}, %arg350: memref<64xf32> {bufferize.result}, %arg351: memref<64x64xf32> {bufferize.result}, %arg352: memref<64xf32> {bufferize.result}, %arg353: memref<64x64xf32> {bufferize.result}, %arg354: memref<256xf32> {bufferize.result}, %arg355: memref<64x256xf32> {bufferize.result}, %arg356: memref<64xf32> {bufferize.result}, %arg357: memref<64x64xf32> {bufferize.result}, %arg358: memref<64xf32> {bufferize.result}, %arg359: memref<256x64xf32> {bufferize.result}, %arg360: memref<64xf32> {bufferize.result}, %arg361: memref<64x64xf32> {bufferize.result}, %arg362: memref<64xf32> {bufferize.result}, %arg363: memref<64xf32> {bufferize.result}, %arg364: memref<64xf32> {bufferize.result}, %arg365: memref<64xf32> {bufferize.result}, %arg366: memref<64xf32> {bufferize.result}, %arg367: memref<64x64xf32> {bufferize.result}, %arg368: memref<64xf32> {bufferize.result}, %arg369: memref<64x64xf32> {bufferize.result}, %arg370: memref<256xf32> {bufferize.result}, %arg371: memref<64x256xf32> {bufferize.result}, %arg372: memref<64xf32> {bufferize.result}, %arg373: memref<64x64xf32> {bufferize.result}, %arg374: memref<64xf32> {bufferize.result}, %arg375: memref<256x64xf32> {bufferize.result}, %arg376: memref<64xf32> {bufferize.result}, %arg377: memref<64x64xf32> {bufferize.result}, %arg378: memref<64xf32> {bufferize.result}, %arg379: memref<64xf32> {bufferize.result}, %arg380: memref<64xf32> {bufferize.result}, %arg381: memref<64xf32> {bufferize.result}, %arg382: memref<64xf32> {bufferize.result}, %arg383: memref<64x64xf32> {bufferize.result}, %arg384: memref<64xf32> {bufferize.result}, %arg385: memref<64x64xf32> {bufferize.result}, %arg386: memref<256xf32> {bufferize.result}, %arg387: memref<64x256xf32> {bufferize.result}, %arg388: memref<64xf32> {bufferize.result}, %arg389: memref<64x64xf32> {bufferize.result}, %arg390: memref<64xf32> {bufferize.result}, %arg391: memref<256x64xf32> {bufferize.result}, %arg392: memref<64xf32> {bufferize.result}, %arg393: memref<64x64xf32> {bufferize.result}, %arg394: memref<64xf32> {bufferize.result}, %arg395: memref<64xf32> {bufferize.result}, %arg396: memref<64xf32> {bufferize.result}, %arg397: memref<64xf32> {bufferize.result}, %arg398: memref<64xf32> {bufferize.result}, %arg399: memref<64x64xf32> {bufferize.result}, %arg400: memref<64xf32> {bufferize.result}, %arg401: memref<64x64xf32> {bufferize.result}, %arg402: memref<256xf32> {bufferize.result}, %arg403: memref<64x256xf32> {bufferize.result}, %arg404: memref<64xf32> {bufferize.result}, %arg405: memref<64x64xf32> {bufferize.result}, %arg406: memref<64xf32> {bufferize.result}, %arg407: memref<64xf32> {bufferize.result}, %arg408: memref<64x64xf32> {bufferize.result}, %arg409: memref<512x64xf32> {bufferize.result}, %arg410: memref<f32> {bufferize.result}) {
    %cst = arith.constant -9.765625E-4 : f32
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant -1.000000e+09 : f32
    %cst_2 = arith.constant 2.560000e+02 : f32
    %cst_3 = arith.constant 2.000000e+00 : f32
    %cst_4 = arith.constant 9.99999974E-6 : f32
    %cst_5 = arith.constant -5.000000e-01 : f32
    %cst_6 = arith.constant 5.65685415 : f32
    %cst_7 = arith.constant 0xFF800000 : f32
    %cst_8 = arith.constant 1.000000e+00 : f32
    %cst_9 = arith.constant 5.000000e-01 : f32
    %cst_10 = arith.constant 4.471500e-02 : f32
    %cst_11 = arith.constant 0.797884583 : f32
    %cst_12 = arith.constant 1.024000e+03 : f32
    %cst_13 = arith.constant 0.899999976 : f32
    %cst_14 = arith.constant 1.000000e-01 : f32
    %cst_15 = arith.constant 9.990000e-01 : f32
    %cst_16 = arith.constant 1.000000e-03 : f32
    %cst_17 = arith.constant 9.99999993E-9 : f32
    %alloc = memref.alloc() {alignment = 64 : i64} : memref<8x32x512xf32>
    linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg204 : memref<8x32xi32>) outs(%alloc : memref<8x32x512xf32>) {
    ^bb0(%in: i32, %out: f32):
      %3 = linalg.index 2 : index
      %4 = arith.index_cast %3 : index to i32
      %5 = arith.cmpi eq, %in, %4 : i32
      %6 = arith.uitofp %5 : i1 to f32
      linalg.yield %6 : f32
    }
    %collapse_shape = memref.collapse_shape %alloc [[0, 1], [2]] : memref<8x32x512xf32> into memref<256x512xf32>
    %alloc_18 = memref.alloc() {alignment = 64 : i64} : memref<256x64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_18 : memref<256x64xf32>)
    linalg.matmul ins(%collapse_shape, %arg67 : memref<256x512xf32>, memref<512x64xf32>) outs(%alloc_18 : memref<256x64xf32>)
    %expand_shape = memref.expand_shape %alloc_18 [[0, 1], [2]] output_shape [8, 32, 64] : memref<256x64xf32> into memref<8x32x64xf32>
    %subview = memref.subview %arg66[0, 0] [32, 64] [1, 1] : memref<64x64xf32> to memref<32x64xf32, strided<[64, 1]>>
    %alloc_19 = memref.alloc() {alignment = 64 : i64} : memref<8x32x64xf32>
    linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expand_shape, %subview : memref<8x32x64xf32>, memref<32x64xf32, strided<[64, 1]>>) outs(%alloc_19 : memref<8x32x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.addf %in, %in_849 : f32
      linalg.yield %3 : f32
    }
    %alloc_20 = memref.alloc() {alignment = 64 : i64} : memref<8x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_20 : memref<8x32xf32>)
    linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%alloc_19 : memref<8x32x64xf32>) outs(%alloc_20 : memref<8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %expand_shape_21 = memref.expand_shape %alloc_20 [[0], [1, 2]] output_shape [8, 32, 1] : memref<8x32xf32> into memref<8x32x1xf32>
    %alloc_22 = memref.alloc() {alignment = 64 : i64} : memref<8x32x64xf32>
    linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_19, %expand_shape_21 : memref<8x32x64xf32>, memref<8x32x1xf32>) outs(%alloc_22 : memref<8x32x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.divf %in_849, %cst_2 : f32
      %4 = arith.subf %in, %3 : f32
      linalg.yield %4 : f32
    }
    %alloc_23 = memref.alloc() {alignment = 64 : i64} : memref<8x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_23 : memref<8x32xf32>)
    linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%alloc_22 : memref<8x32x64xf32>) outs(%alloc_23 : memref<8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.mulf %in, %in : f32
      %4 = arith.addf %out, %3 : f32
      linalg.yield %4 : f32
    }
    %expand_shape_24 = memref.expand_shape %alloc_23 [[0], [1, 2]] output_shape [8, 32, 1] : memref<8x32xf32> into memref<8x32x1xf32>
    %alloc_25 = memref.alloc() {alignment = 64 : i64} : memref<8x32x1xf32>
    linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expand_shape_24 : memref<8x32x1xf32>) outs(%alloc_25 : memref<8x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.divf %in, %cst_2 : f32
      %4 = arith.addf %3, %cst_4 : f32
      linalg.yield %4 : f32
    }
    %alloc_26 = memref.alloc() {alignment = 64 : i64} : memref<8x32x1xf32>
    linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_25 : memref<8x32x1xf32>) outs(%alloc_26 : memref<8x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = math.rsqrt %in : f32
      linalg.yield %3 : f32
    }
    %alloc_27 = memref.alloc() {alignment = 64 : i64} : memref<8x32x64xf32>
    linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_22, %alloc_26 : memref<8x32x64xf32>, memref<8x32x1xf32>) outs(%alloc_27 : memref<8x32x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in, %in_849 : f32
      linalg.yield %3 : f32
    }
    %alloc_28 = memref.alloc() {alignment = 64 : i64} : memref<8x32x64xf32>
    linalg.generic {indexing_maps = [#map1, #map4, #map4, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_27, %arg5, %arg4 : memref<8x32x64xf32>, memref<64xf32>, memref<64xf32>) outs(%alloc_28 : memref<8x32x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %out: f32):
      %3 = arith.mulf %in, %in_849 : f32
      %4 = arith.addf %3, %in_850 : f32
      linalg.yield %4 : f32
    }
    %collapse_shape_29 = memref.collapse_shape %alloc_28 [[0, 1], [2]] : memref<8x32x64xf32> into memref<256x64xf32>
    %alloc_30 = memref.alloc() {alignment = 64 : i64} : memref<256x64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_30 : memref<256x64xf32>)
    linalg.matmul ins(%collapse_shape_29, %arg11 : memref<256x64xf32>, memref<64x64xf32>) outs(%alloc_30 : memref<256x64xf32>)
    %alloc_31 = memref.alloc() {alignment = 64 : i64} : memref<256x64xf32>
    linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel"]} ins(%alloc_30, %arg10 : memref<256x64xf32>, memref<64xf32>) outs(%alloc_31 : memref<256x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.addf %in, %in_849 : f32
      linalg.yield %3 : f32
    }
    %expand_shape_32 = memref.expand_shape %alloc_31 [[0, 1], [2, 3]] output_shape [8, 32, 8, 8] : memref<256x64xf32> into memref<8x32x8x8xf32>
    %alloc_33 = memref.alloc() {alignment = 64 : i64} : memref<8x8x32x8xf32>
    linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expand_shape_32 : memref<8x32x8x8xf32>) outs(%alloc_33 : memref<8x8x32x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %alloc_34 = memref.alloc() {alignment = 64 : i64} : memref<256x64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_34 : memref<256x64xf32>)
    linalg.matmul ins(%collapse_shape_29, %arg3 : memref<256x64xf32>, memref<64x64xf32>) outs(%alloc_34 : memref<256x64xf32>)
    %alloc_35 = memref.alloc() {alignment = 64 : i64} : memref<256x64xf32>
    linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel"]} ins(%alloc_34, %arg2 : memref<256x64xf32>, memref<64xf32>) outs(%alloc_35 : memref<256x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.addf %in, %in_849 : f32
      linalg.yield %3 : f32
    }
    %expand_shape_36 = memref.expand_shape %alloc_35 [[0, 1], [2, 3]] output_shape [8, 32, 8, 8] : memref<256x64xf32> into memref<8x32x8x8xf32>
    %alloc_37 = memref.alloc() {alignment = 64 : i64} : memref<8x8x8x32xf32>
    linalg.generic {indexing_maps = [#map9, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expand_shape_36 : memref<8x32x8x8xf32>) outs(%alloc_37 : memref<8x8x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %alloc_38 = memref.alloc() {alignment = 64 : i64} : memref<256x64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_38 : memref<256x64xf32>)
    linalg.matmul ins(%collapse_shape_29, %arg15 : memref<256x64xf32>, memref<64x64xf32>) outs(%alloc_38 : memref<256x64xf32>)
    %alloc_39 = memref.alloc() {alignment = 64 : i64} : memref<256x64xf32>
    linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel"]} ins(%alloc_38, %arg14 : memref<256x64xf32>, memref<64xf32>) outs(%alloc_39 : memref<256x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.addf %in, %in_849 : f32
      linalg.yield %3 : f32
    }
    %expand_shape_40 = memref.expand_shape %alloc_39 [[0, 1], [2, 3]] output_shape [8, 32, 8, 8] : memref<256x64xf32> into memref<8x32x8x8xf32>
    %alloc_41 = memref.alloc() {alignment = 64 : i64} : memref<8x8x32x8xf32>
    linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expand_shape_40 : memref<8x32x8x8xf32>) outs(%alloc_41 : memref<8x8x32x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %collapse_shape_42 = memref.collapse_shape %alloc_33 [[0, 1], [2], [3]] : memref<8x8x32x8xf32> into memref<64x32x8xf32>
    %collapse_shape_43 = memref.collapse_shape %alloc_37 [[0, 1], [2], [3]] : memref<8x8x8x32xf32> into memref<64x8x32xf32>
    %alloc_44 = memref.alloc() {alignment = 64 : i64} : memref<64x32x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_44 : memref<64x32x32xf32>)
    linalg.batch_matmul ins(%collapse_shape_42, %collapse_shape_43 : memref<64x32x8xf32>, memref<64x8x32xf32>) outs(%alloc_44 : memref<64x32x32xf32>)
    %expand_shape_45 = memref.expand_shape %alloc_44 [[0, 1], [2], [3]] output_shape [8, 8, 32, 32] : memref<64x32x32xf32> into memref<8x8x32x32xf32>
    %alloc_46 = memref.alloc() {alignment = 64 : i64} : memref<8x8x32x32xf32>
    linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expand_shape_45 : memref<8x8x32x32xf32>) outs(%alloc_46 : memref<8x8x32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = linalg.index 2 : index
      %4 = linalg.index 3 : index
      %5 = arith.index_cast %4 : index to i32
      %6 = arith.index_cast %3 : index to i32
      %7 = arith.cmpi sge, %6, %5 : i32
      %8 = arith.select %7, %cst_0, %cst_1 : f32
      %9 = arith.divf %in, %cst_6 : f32
      %10 = arith.addf %9, %8 : f32
      linalg.yield %10 : f32
    }
    %alloc_47 = memref.alloc() {alignment = 64 : i64} : memref<8x8x32xf32>
    linalg.fill ins(%cst_7 : f32) outs(%alloc_47 : memref<8x8x32xf32>)
    linalg.generic {indexing_maps = [#map8, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%alloc_46 : memref<8x8x32x32xf32>) outs(%alloc_47 : memref<8x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.maximumf %out, %in : f32
      linalg.yield %3 : f32
    }
    %expand_shape_48 = memref.expand_shape %alloc_47 [[0], [1], [2, 3]] output_shape [8, 8, 32, 1] : memref<8x8x32xf32> into memref<8x8x32x1xf32>
    %alloc_49 = memref.alloc() {alignment = 64 : i64} : memref<8x8x32x32xf32>
    linalg.generic {indexing_maps = [#map8, #map11, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_46, %expand_shape_48 : memref<8x8x32x32xf32>, memref<8x8x32x1xf32>) outs(%alloc_49 : memref<8x8x32x32xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.cmpf oeq, %in, %in_849 : f32
      %4 = arith.uitofp %3 : i1 to f32
      linalg.yield %4 : f32
    }
    %alloc_50 = memref.alloc() {alignment = 64 : i64} : memref<8x8x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_50 : memref<8x8x32xf32>)
    linalg.generic {indexing_maps = [#map8, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%alloc_49 : memref<8x8x32x32xf32>) outs(%alloc_50 : memref<8x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %alloc_51 = memref.alloc() {alignment = 64 : i64} : memref<8x8x32x32xf32>
    linalg.generic {indexing_maps = [#map8, #map10, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_46, %alloc_47 : memref<8x8x32x32xf32>, memref<8x8x32xf32>) outs(%alloc_51 : memref<8x8x32x32xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.subf %in, %in_849 : f32
      %4 = math.exp %3 : f32
      linalg.yield %4 : f32
    }
    %alloc_52 = memref.alloc() {alignment = 64 : i64} : memref<8x8x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_52 : memref<8x8x32xf32>)
    linalg.generic {indexing_maps = [#map8, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%alloc_51 : memref<8x8x32x32xf32>) outs(%alloc_52 : memref<8x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %expand_shape_53 = memref.expand_shape %alloc_52 [[0], [1], [2, 3]] output_shape [8, 8, 32, 1] : memref<8x8x32xf32> into memref<8x8x32x1xf32>
    %alloc_54 = memref.alloc() {alignment = 64 : i64} : memref<8x8x32x32xf32>
    linalg.generic {indexing_maps = [#map8, #map10, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_51, %alloc_52 : memref<8x8x32x32xf32>, memref<8x8x32xf32>) outs(%alloc_54 : memref<8x8x32x32xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.divf %in, %in_849 : f32
      linalg.yield %3 : f32
    }
    %collapse_shape_55 = memref.collapse_shape %alloc_54 [[0, 1], [2], [3]] : memref<8x8x32x32xf32> into memref<64x32x32xf32>
    %collapse_shape_56 = memref.collapse_shape %alloc_41 [[0, 1], [2], [3]] : memref<8x8x32x8xf32> into memref<64x32x8xf32>
    %alloc_57 = memref.alloc() {alignment = 64 : i64} : memref<64x32x8xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_57 : memref<64x32x8xf32>)
    linalg.batch_matmul ins(%collapse_shape_55, %collapse_shape_56 : memref<64x32x32xf32>, memref<64x32x8xf32>) outs(%alloc_57 : memref<64x32x8xf32>)
    %expand_shape_58 = memref.expand_shape %alloc_57 [[0, 1], [2], [3]] output_shape [8, 8, 32, 8] : memref<64x32x8xf32> into memref<8x8x32x8xf32>
    %alloc_59 = memref.alloc() {alignment = 64 : i64} : memref<8x32x8x8xf32>
    linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expand_shape_58 : memref<8x8x32x8xf32>) outs(%alloc_59 : memref<8x32x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %collapse_shape_60 = memref.collapse_shape %alloc_59 [[0, 1], [2, 3]] : memref<8x32x8x8xf32> into memref<256x64xf32>
    %alloc_61 = memref.alloc() {alignment = 64 : i64} : memref<256x64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_61 : memref<256x64xf32>)
    linalg.matmul ins(%collapse_shape_60, %arg9 : memref<256x64xf32>, memref<64x64xf32>) outs(%alloc_61 : memref<256x64xf32>)
    %alloc_62 = memref.alloc() {alignment = 64 : i64} : memref<256x64xf32>
    linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel"]} ins(%alloc_61, %arg8 : memref<256x64xf32>, memref<64xf32>) outs(%alloc_62 : memref<256x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.addf %in, %in_849 : f32
      linalg.yield %3 : f32
    }
    %expand_shape_63 = memref.expand_shape %alloc_62 [[0, 1], [2]] output_shape [8, 32, 64] : memref<256x64xf32> into memref<8x32x64xf32>
    %alloc_64 = memref.alloc() {alignment = 64 : i64} : memref<8x32x64xf32>
    linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_19, %expand_shape_63 : memref<8x32x64xf32>, memref<8x32x64xf32>) outs(%alloc_64 : memref<8x32x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.addf %in, %in_849 : f32
      linalg.yield %3 : f32
    }
    %alloc_65 = memref.alloc() {alignment = 64 : i64} : memref<8x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_65 : memref<8x32xf32>)
    linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%alloc_64 : memref<8x32x64xf32>) outs(%alloc_65 : memref<8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %expand_shape_66 = memref.expand_shape %alloc_65 [[0], [1, 2]] output_shape [8, 32, 1] : memref<8x32xf32> into memref<8x32x1xf32>
    %alloc_67 = memref.alloc() {alignment = 64 : i64} : memref<8x32x64xf32>
    linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_64, %expand_shape_66 : memref<8x32x64xf32>, memref<8x32x1xf32>) outs(%alloc_67 : memref<8x32x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.divf %in_849, %cst_2 : f32
      %4 = arith.subf %in, %3 : f32
      linalg.yield %4 : f32
    }
    %alloc_68 = memref.alloc() {alignment = 64 : i64} : memref<8x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_68 : memref<8x32xf32>)
    linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%alloc_67 : memref<8x32x64xf32>) outs(%alloc_68 : memref<8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.mulf %in, %in : f32
      %4 = arith.addf %out, %3 : f32
      linalg.yield %4 : f32
    }
    %expand_shape_69 = memref.expand_shape %alloc_68 [[0], [1, 2]] output_shape [8, 32, 1] : memref<8x32xf32> into memref<8x32x1xf32>
    %alloc_70 = memref.alloc() {alignment = 64 : i64} : memref<8x32x1xf32>
    linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expand_shape_69 : memref<8x32x1xf32>) outs(%alloc_70 : memref<8x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.divf %in, %cst_2 : f32
      %4 = arith.addf %3, %cst_4 : f32
      linalg.yield %4 : f32
    }
    %alloc_71 = memref.alloc() {alignment = 64 : i64} : memref<8x32x1xf32>
    linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_70 : memref<8x32x1xf32>) outs(%alloc_71 : memref<8x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = math.rsqrt %in : f32
      linalg.yield %3 : f32
    }
    %alloc_72 = memref.alloc() {alignment = 64 : i64} : memref<8x32x64xf32>
    linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_67, %alloc_71 : memref<8x32x64xf32>, memref<8x32x1xf32>) outs(%alloc_72 : memref<8x32x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in, %in_849 : f32
      linalg.yield %3 : f32
    }
    %alloc_73 = memref.alloc() {alignment = 64 : i64} : memref<8x32x64xf32>
    linalg.generic {indexing_maps = [#map1, #map4, #map4, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_72, %arg7, %arg6 : memref<8x32x64xf32>, memref<64xf32>, memref<64xf32>) outs(%alloc_73 : memref<8x32x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %out: f32):
      %3 = arith.mulf %in, %in_849 : f32
      %4 = arith.addf %3, %in_850 : f32
      linalg.yield %4 : f32
    }
    %collapse_shape_74 = memref.collapse_shape %alloc_73 [[0, 1], [2]] : memref<8x32x64xf32> into memref<256x64xf32>
    %alloc_75 = memref.alloc() {alignment = 64 : i64} : memref<256x256xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_75 : memref<256x256xf32>)
    linalg.matmul ins(%collapse_shape_74, %arg13 : memref<256x64xf32>, memref<64x256xf32>) outs(%alloc_75 : memref<256x256xf32>)
    %alloc_76 = memref.alloc() {alignment = 64 : i64} : memref<256x256xf32>
    linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel"]} ins(%alloc_75, %arg12 : memref<256x256xf32>, memref<256xf32>) outs(%alloc_76 : memref<256x256xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.addf %in, %in_849 : f32
      linalg.yield %3 : f32
    }
    %expand_shape_77 = memref.expand_shape %alloc_76 [[0, 1], [2]] output_shape [8, 32, 256] : memref<256x256xf32> into memref<8x32x256xf32>
    %alloc_78 = memref.alloc() {alignment = 64 : i64} : memref<8x32x256xf32>
    linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expand_shape_77 : memref<8x32x256xf32>) outs(%alloc_78 : memref<8x32x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.mulf %in, %cst_9 : f32
      linalg.yield %3 : f32
    }
    %alloc_79 = memref.alloc() {alignment = 64 : i64} : memref<8x32x256xf32>
    linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expand_shape_77 : memref<8x32x256xf32>) outs(%alloc_79 : memref<8x32x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.mulf %in, %cst_10 : f32
      linalg.yield %3 : f32
    }
    %alloc_80 = memref.alloc() {alignment = 64 : i64} : memref<8x32x256xf32>
    linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_79, %expand_shape_77 : memref<8x32x256xf32>, memref<8x32x256xf32>) outs(%alloc_80 : memref<8x32x256xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in, %in_849 : f32
      linalg.yield %3 : f32
    }
    %alloc_81 = memref.alloc() {alignment = 64 : i64} : memref<8x32x256xf32>
    linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expand_shape_77, %alloc_80 : memref<8x32x256xf32>, memref<8x32x256xf32>) outs(%alloc_81 : memref<8x32x256xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %in : f32
      %4 = arith.addf %in, %3 : f32
      %5 = arith.mulf %4, %cst_11 : f32
      %6 = math.tanh %5 : f32
      linalg.yield %6 : f32
    }
    %alloc_82 = memref.alloc() {alignment = 64 : i64} : memref<8x32x256xf32>
    linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_81 : memref<8x32x256xf32>) outs(%alloc_82 : memref<8x32x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %in, %cst_8 : f32
      linalg.yield %3 : f32
    }
    %alloc_83 = memref.alloc() {alignment = 64 : i64} : memref<8x32x256xf32>
    linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_78, %alloc_82 : memref<8x32x256xf32>, memref<8x32x256xf32>) outs(%alloc_83 : memref<8x32x256xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in, %in_849 : f32
      linalg.yield %3 : f32
    }
    %collapse_shape_84 = memref.collapse_shape %alloc_83 [[0, 1], [2]] : memref<8x32x256xf32> into memref<256x256xf32>
    %alloc_85 = memref.alloc() {alignment = 64 : i64} : memref<256x64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_85 : memref<256x64xf32>)
    linalg.matmul ins(%collapse_shape_84, %arg1 : memref<256x256xf32>, memref<256x64xf32>) outs(%alloc_85 : memref<256x64xf32>)
    %alloc_86 = memref.alloc() {alignment = 64 : i64} : memref<256x64xf32>
    linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel"]} ins(%alloc_85, %arg0 : memref<256x64xf32>, memref<64xf32>) outs(%alloc_86 : memref<256x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.addf %in, %in_849 : f32
      linalg.yield %3 : f32
    }
    %expand_shape_87 = memref.expand_shape %alloc_86 [[0, 1], [2]] output_shape [8, 32, 64] : memref<256x64xf32> into memref<8x32x64xf32>
    %alloc_88 = memref.alloc() {alignment = 64 : i64} : memref<8x32x64xf32>
    linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_64, %expand_shape_87 : memref<8x32x64xf32>, memref<8x32x64xf32>) outs(%alloc_88 : memref<8x32x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.addf %in, %in_849 : f32
      linalg.yield %3 : f32
    }
    %alloc_89 = memref.alloc() {alignment = 64 : i64} : memref<8x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_89 : memref<8x32xf32>)
    linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%alloc_88 : memref<8x32x64xf32>) outs(%alloc_89 : memref<8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %expand_shape_90 = memref.expand_shape %alloc_89 [[0], [1, 2]] output_shape [8, 32, 1] : memref<8x32xf32> into memref<8x32x1xf32>
    %alloc_91 = memref.alloc() {alignment = 64 : i64} : memref<8x32x64xf32>
    linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_88, %expand_shape_90 : memref<8x32x64xf32>, memref<8x32x1xf32>) outs(%alloc_91 : memref<8x32x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.divf %in_849, %cst_2 : f32
      %4 = arith.subf %in, %3 : f32
      linalg.yield %4 : f32
    }
    %alloc_92 = memref.alloc() {alignment = 64 : i64} : memref<8x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_92 : memref<8x32xf32>)
    linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%alloc_91 : memref<8x32x64xf32>) outs(%alloc_92 : memref<8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.mulf %in, %in : f32
      %4 = arith.addf %out, %3 : f32
      linalg.yield %4 : f32
    }
    %expand_shape_93 = memref.expand_shape %alloc_92 [[0], [1, 2]] output_shape [8, 32, 1] : memref<8x32xf32> into memref<8x32x1xf32>
    %alloc_94 = memref.alloc() {alignment = 64 : i64} : memref<8x32x1xf32>
    linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expand_shape_93 : memref<8x32x1xf32>) outs(%alloc_94 : memref<8x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.divf %in, %cst_2 : f32
      %4 = arith.addf %3, %cst_4 : f32
      linalg.yield %4 : f32
    }
    %alloc_95 = memref.alloc() {alignment = 64 : i64} : memref<8x32x1xf32>
    linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_94 : memref<8x32x1xf32>) outs(%alloc_95 : memref<8x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = math.rsqrt %in : f32
      linalg.yield %3 : f32
    }
    %alloc_96 = memref.alloc() {alignment = 64 : i64} : memref<8x32x64xf32>
    linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_91, %alloc_95 : memref<8x32x64xf32>, memref<8x32x1xf32>) outs(%alloc_96 : memref<8x32x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in, %in_849 : f32
      linalg.yield %3 : f32
    }
    %alloc_97 = memref.alloc() {alignment = 64 : i64} : memref<8x32x64xf32>
    linalg.generic {indexing_maps = [#map1, #map4, #map4, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_96, %arg21, %arg20 : memref<8x32x64xf32>, memref<64xf32>, memref<64xf32>) outs(%alloc_97 : memref<8x32x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %out: f32):
      %3 = arith.mulf %in, %in_849 : f32
      %4 = arith.addf %3, %in_850 : f32
      linalg.yield %4 : f32
    }
    %collapse_shape_98 = memref.collapse_shape %alloc_97 [[0, 1], [2]] : memref<8x32x64xf32> into memref<256x64xf32>
    %alloc_99 = memref.alloc() {alignment = 64 : i64} : memref<256x64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_99 : memref<256x64xf32>)
    linalg.matmul ins(%collapse_shape_98, %arg27 : memref<256x64xf32>, memref<64x64xf32>) outs(%alloc_99 : memref<256x64xf32>)
    %alloc_100 = memref.alloc() {alignment = 64 : i64} : memref<256x64xf32>
    linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel"]} ins(%alloc_99, %arg26 : memref<256x64xf32>, memref<64xf32>) outs(%alloc_100 : memref<256x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.addf %in, %in_849 : f32
      linalg.yield %3 : f32
    }
    %expand_shape_101 = memref.expand_shape %alloc_100 [[0, 1], [2, 3]] output_shape [8, 32, 8, 8] : memref<256x64xf32> into memref<8x32x8x8xf32>
    %alloc_102 = memref.alloc() {alignment = 64 : i64} : memref<8x8x32x8xf32>
    linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expand_shape_101 : memref<8x32x8x8xf32>) outs(%alloc_102 : memref<8x8x32x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %alloc_103 = memref.alloc() {alignment = 64 : i64} : memref<256x64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_103 : memref<256x64xf32>)
    linalg.matmul ins(%collapse_shape_98, %arg19 : memref<256x64xf32>, memref<64x64xf32>) outs(%alloc_103 : memref<256x64xf32>)
    %alloc_104 = memref.alloc() {alignment = 64 : i64} : memref<256x64xf32>
    linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel"]} ins(%alloc_103, %arg18 : memref<256x64xf32>, memref<64xf32>) outs(%alloc_104 : memref<256x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.addf %in, %in_849 : f32
      linalg.yield %3 : f32
    }
    %expand_shape_105 = memref.expand_shape %alloc_104 [[0, 1], [2, 3]] output_shape [8, 32, 8, 8] : memref<256x64xf32> into memref<8x32x8x8xf32>
    %alloc_106 = memref.alloc() {alignment = 64 : i64} : memref<8x8x8x32xf32>
    linalg.generic {indexing_maps = [#map9, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expand_shape_105 : memref<8x32x8x8xf32>) outs(%alloc_106 : memref<8x8x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %alloc_107 = memref.alloc() {alignment = 64 : i64} : memref<256x64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_107 : memref<256x64xf32>)
    linalg.matmul ins(%collapse_shape_98, %arg31 : memref<256x64xf32>, memref<64x64xf32>) outs(%alloc_107 : memref<256x64xf32>)
    %alloc_108 = memref.alloc() {alignment = 64 : i64} : memref<256x64xf32>
    linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel"]} ins(%alloc_107, %arg30 : memref<256x64xf32>, memref<64xf32>) outs(%alloc_108 : memref<256x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.addf %in, %in_849 : f32
      linalg.yield %3 : f32
    }
    %expand_shape_109 = memref.expand_shape %alloc_108 [[0, 1], [2, 3]] output_shape [8, 32, 8, 8] : memref<256x64xf32> into memref<8x32x8x8xf32>
    %alloc_110 = memref.alloc() {alignment = 64 : i64} : memref<8x8x32x8xf32>
    linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expand_shape_109 : memref<8x32x8x8xf32>) outs(%alloc_110 : memref<8x8x32x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %collapse_shape_111 = memref.collapse_shape %alloc_102 [[0, 1], [2], [3]] : memref<8x8x32x8xf32> into memref<64x32x8xf32>
    %collapse_shape_112 = memref.collapse_shape %alloc_106 [[0, 1], [2], [3]] : memref<8x8x8x32xf32> into memref<64x8x32xf32>
    %alloc_113 = memref.alloc() {alignment = 64 : i64} : memref<64x32x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_113 : memref<64x32x32xf32>)
    linalg.batch_matmul ins(%collapse_shape_111, %collapse_shape_112 : memref<64x32x8xf32>, memref<64x8x32xf32>) outs(%alloc_113 : memref<64x32x32xf32>)
    %expand_shape_114 = memref.expand_shape %alloc_113 [[0, 1], [2], [3]] output_shape [8, 8, 32, 32] : memref<64x32x32xf32> into memref<8x8x32x32xf32>
    %alloc_115 = memref.alloc() {alignment = 64 : i64} : memref<8x8x32x32xf32>
    linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expand_shape_114 : memref<8x8x32x32xf32>) outs(%alloc_115 : memref<8x8x32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = linalg.index 2 : index
      %4 = linalg.index 3 : index
      %5 = arith.index_cast %4 : index to i32
      %6 = arith.index_cast %3 : index to i32
      %7 = arith.cmpi sge, %6, %5 : i32
      %8 = arith.select %7, %cst_0, %cst_1 : f32
      %9 = arith.divf %in, %cst_6 : f32
      %10 = arith.addf %9, %8 : f32
      linalg.yield %10 : f32
    }
    %alloc_116 = memref.alloc() {alignment = 64 : i64} : memref<8x8x32xf32>
    linalg.fill ins(%cst_7 : f32) outs(%alloc_116 : memref<8x8x32xf32>)
    linalg.generic {indexing_maps = [#map8, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%alloc_115 : memref<8x8x32x32xf32>) outs(%alloc_116 : memref<8x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.maximumf %out, %in : f32
      linalg.yield %3 : f32
    }
    %expand_shape_117 = memref.expand_shape %alloc_116 [[0], [1], [2, 3]] output_shape [8, 8, 32, 1] : memref<8x8x32xf32> into memref<8x8x32x1xf32>
    %alloc_118 = memref.alloc() {alignment = 64 : i64} : memref<8x8x32x32xf32>
    linalg.generic {indexing_maps = [#map8, #map11, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_115, %expand_shape_117 : memref<8x8x32x32xf32>, memref<8x8x32x1xf32>) outs(%alloc_118 : memref<8x8x32x32xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.cmpf oeq, %in, %in_849 : f32
      %4 = arith.uitofp %3 : i1 to f32
      linalg.yield %4 : f32
    }
    %alloc_119 = memref.alloc() {alignment = 64 : i64} : memref<8x8x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_119 : memref<8x8x32xf32>)
    linalg.generic {indexing_maps = [#map8, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%alloc_118 : memref<8x8x32x32xf32>) outs(%alloc_119 : memref<8x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %alloc_120 = memref.alloc() {alignment = 64 : i64} : memref<8x8x32x32xf32>
    linalg.generic {indexing_maps = [#map8, #map10, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_115, %alloc_116 : memref<8x8x32x32xf32>, memref<8x8x32xf32>) outs(%alloc_120 : memref<8x8x32x32xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.subf %in, %in_849 : f32
      %4 = math.exp %3 : f32
      linalg.yield %4 : f32
    }
    %alloc_121 = memref.alloc() {alignment = 64 : i64} : memref<8x8x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_121 : memref<8x8x32xf32>)
    linalg.generic {indexing_maps = [#map8, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%alloc_120 : memref<8x8x32x32xf32>) outs(%alloc_121 : memref<8x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %expand_shape_122 = memref.expand_shape %alloc_121 [[0], [1], [2, 3]] output_shape [8, 8, 32, 1] : memref<8x8x32xf32> into memref<8x8x32x1xf32>
    %alloc_123 = memref.alloc() {alignment = 64 : i64} : memref<8x8x32x32xf32>
    linalg.generic {indexing_maps = [#map8, #map10, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_120, %alloc_121 : memref<8x8x32x32xf32>, memref<8x8x32xf32>) outs(%alloc_123 : memref<8x8x32x32xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.divf %in, %in_849 : f32
      linalg.yield %3 : f32
    }
    %collapse_shape_124 = memref.collapse_shape %alloc_123 [[0, 1], [2], [3]] : memref<8x8x32x32xf32> into memref<64x32x32xf32>
    %collapse_shape_125 = memref.collapse_shape %alloc_110 [[0, 1], [2], [3]] : memref<8x8x32x8xf32> into memref<64x32x8xf32>
    %alloc_126 = memref.alloc() {alignment = 64 : i64} : memref<64x32x8xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_126 : memref<64x32x8xf32>)
    linalg.batch_matmul ins(%collapse_shape_124, %collapse_shape_125 : memref<64x32x32xf32>, memref<64x32x8xf32>) outs(%alloc_126 : memref<64x32x8xf32>)
    %expand_shape_127 = memref.expand_shape %alloc_126 [[0, 1], [2], [3]] output_shape [8, 8, 32, 8] : memref<64x32x8xf32> into memref<8x8x32x8xf32>
    %alloc_128 = memref.alloc() {alignment = 64 : i64} : memref<8x32x8x8xf32>
    linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expand_shape_127 : memref<8x8x32x8xf32>) outs(%alloc_128 : memref<8x32x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %collapse_shape_129 = memref.collapse_shape %alloc_128 [[0, 1], [2, 3]] : memref<8x32x8x8xf32> into memref<256x64xf32>
    %alloc_130 = memref.alloc() {alignment = 64 : i64} : memref<256x64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_130 : memref<256x64xf32>)
    linalg.matmul ins(%collapse_shape_129, %arg25 : memref<256x64xf32>, memref<64x64xf32>) outs(%alloc_130 : memref<256x64xf32>)
    %alloc_131 = memref.alloc() {alignment = 64 : i64} : memref<256x64xf32>
    linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel"]} ins(%alloc_130, %arg24 : memref<256x64xf32>, memref<64xf32>) outs(%alloc_131 : memref<256x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.addf %in, %in_849 : f32
      linalg.yield %3 : f32
    }
    %expand_shape_132 = memref.expand_shape %alloc_131 [[0, 1], [2]] output_shape [8, 32, 64] : memref<256x64xf32> into memref<8x32x64xf32>
    %alloc_133 = memref.alloc() {alignment = 64 : i64} : memref<8x32x64xf32>
    linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_88, %expand_shape_132 : memref<8x32x64xf32>, memref<8x32x64xf32>) outs(%alloc_133 : memref<8x32x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.addf %in, %in_849 : f32
      linalg.yield %3 : f32
    }
    %alloc_134 = memref.alloc() {alignment = 64 : i64} : memref<8x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_134 : memref<8x32xf32>)
    linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%alloc_133 : memref<8x32x64xf32>) outs(%alloc_134 : memref<8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %expand_shape_135 = memref.expand_shape %alloc_134 [[0], [1, 2]] output_shape [8, 32, 1] : memref<8x32xf32> into memref<8x32x1xf32>
    %alloc_136 = memref.alloc() {alignment = 64 : i64} : memref<8x32x64xf32>
    linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_133, %expand_shape_135 : memref<8x32x64xf32>, memref<8x32x1xf32>) outs(%alloc_136 : memref<8x32x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.divf %in_849, %cst_2 : f32
      %4 = arith.subf %in, %3 : f32
      linalg.yield %4 : f32
    }
    %alloc_137 = memref.alloc() {alignment = 64 : i64} : memref<8x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_137 : memref<8x32xf32>)
    linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%alloc_136 : memref<8x32x64xf32>) outs(%alloc_137 : memref<8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.mulf %in, %in : f32
      %4 = arith.addf %out, %3 : f32
      linalg.yield %4 : f32
    }
    %expand_shape_138 = memref.expand_shape %alloc_137 [[0], [1, 2]] output_shape [8, 32, 1] : memref<8x32xf32> into memref<8x32x1xf32>
    %alloc_139 = memref.alloc() {alignment = 64 : i64} : memref<8x32x1xf32>
    linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expand_shape_138 : memref<8x32x1xf32>) outs(%alloc_139 : memref<8x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.divf %in, %cst_2 : f32
      %4 = arith.addf %3, %cst_4 : f32
      linalg.yield %4 : f32
    }
    %alloc_140 = memref.alloc() {alignment = 64 : i64} : memref<8x32x1xf32>
    linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_139 : memref<8x32x1xf32>) outs(%alloc_140 : memref<8x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = math.rsqrt %in : f32
      linalg.yield %3 : f32
    }
    %alloc_141 = memref.alloc() {alignment = 64 : i64} : memref<8x32x64xf32>
    linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_136, %alloc_140 : memref<8x32x64xf32>, memref<8x32x1xf32>) outs(%alloc_141 : memref<8x32x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in, %in_849 : f32
      linalg.yield %3 : f32
    }
    %alloc_142 = memref.alloc() {alignment = 64 : i64} : memref<8x32x64xf32>
    linalg.generic {indexing_maps = [#map1, #map4, #map4, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_141, %arg23, %arg22 : memref<8x32x64xf32>, memref<64xf32>, memref<64xf32>) outs(%alloc_142 : memref<8x32x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %out: f32):
      %3 = arith.mulf %in, %in_849 : f32
      %4 = arith.addf %3, %in_850 : f32
      linalg.yield %4 : f32
    }
    %collapse_shape_143 = memref.collapse_shape %alloc_142 [[0, 1], [2]] : memref<8x32x64xf32> into memref<256x64xf32>
    %alloc_144 = memref.alloc() {alignment = 64 : i64} : memref<256x256xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_144 : memref<256x256xf32>)
    linalg.matmul ins(%collapse_shape_143, %arg29 : memref<256x64xf32>, memref<64x256xf32>) outs(%alloc_144 : memref<256x256xf32>)
    %alloc_145 = memref.alloc() {alignment = 64 : i64} : memref<256x256xf32>
    linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel"]} ins(%alloc_144, %arg28 : memref<256x256xf32>, memref<256xf32>) outs(%alloc_145 : memref<256x256xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.addf %in, %in_849 : f32
      linalg.yield %3 : f32
    }
    %expand_shape_146 = memref.expand_shape %alloc_145 [[0, 1], [2]] output_shape [8, 32, 256] : memref<256x256xf32> into memref<8x32x256xf32>
    %alloc_147 = memref.alloc() {alignment = 64 : i64} : memref<8x32x256xf32>
    linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expand_shape_146 : memref<8x32x256xf32>) outs(%alloc_147 : memref<8x32x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.mulf %in, %cst_9 : f32
      linalg.yield %3 : f32
    }
    %alloc_148 = memref.alloc() {alignment = 64 : i64} : memref<8x32x256xf32>
    linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expand_shape_146 : memref<8x32x256xf32>) outs(%alloc_148 : memref<8x32x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.mulf %in, %cst_10 : f32
      linalg.yield %3 : f32
    }
    %alloc_149 = memref.alloc() {alignment = 64 : i64} : memref<8x32x256xf32>
    linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_148, %expand_shape_146 : memref<8x32x256xf32>, memref<8x32x256xf32>) outs(%alloc_149 : memref<8x32x256xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in, %in_849 : f32
      linalg.yield %3 : f32
    }
    %alloc_150 = memref.alloc() {alignment = 64 : i64} : memref<8x32x256xf32>
    linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expand_shape_146, %alloc_149 : memref<8x32x256xf32>, memref<8x32x256xf32>) outs(%alloc_150 : memref<8x32x256xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %in : f32
      %4 = arith.addf %in, %3 : f32
      %5 = arith.mulf %4, %cst_11 : f32
      %6 = math.tanh %5 : f32
      linalg.yield %6 : f32
    }
    %alloc_151 = memref.alloc() {alignment = 64 : i64} : memref<8x32x256xf32>
    linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_150 : memref<8x32x256xf32>) outs(%alloc_151 : memref<8x32x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %in, %cst_8 : f32
      linalg.yield %3 : f32
    }
    %alloc_152 = memref.alloc() {alignment = 64 : i64} : memref<8x32x256xf32>
    linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_147, %alloc_151 : memref<8x32x256xf32>, memref<8x32x256xf32>) outs(%alloc_152 : memref<8x32x256xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in, %in_849 : f32
      linalg.yield %3 : f32
    }
    %collapse_shape_153 = memref.collapse_shape %alloc_152 [[0, 1], [2]] : memref<8x32x256xf32> into memref<256x256xf32>
    %alloc_154 = memref.alloc() {alignment = 64 : i64} : memref<256x64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_154 : memref<256x64xf32>)
    linalg.matmul ins(%collapse_shape_153, %arg17 : memref<256x256xf32>, memref<256x64xf32>) outs(%alloc_154 : memref<256x64xf32>)
    %alloc_155 = memref.alloc() {alignment = 64 : i64} : memref<256x64xf32>
    linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel"]} ins(%alloc_154, %arg16 : memref<256x64xf32>, memref<64xf32>) outs(%alloc_155 : memref<256x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.addf %in, %in_849 : f32
      linalg.yield %3 : f32
    }
    %expand_shape_156 = memref.expand_shape %alloc_155 [[0, 1], [2]] output_shape [8, 32, 64] : memref<256x64xf32> into memref<8x32x64xf32>
    %alloc_157 = memref.alloc() {alignment = 64 : i64} : memref<8x32x64xf32>
    linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_133, %expand_shape_156 : memref<8x32x64xf32>, memref<8x32x64xf32>) outs(%alloc_157 : memref<8x32x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.addf %in, %in_849 : f32
      linalg.yield %3 : f32
    }
    %alloc_158 = memref.alloc() {alignment = 64 : i64} : memref<8x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_158 : memref<8x32xf32>)
    linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%alloc_157 : memref<8x32x64xf32>) outs(%alloc_158 : memref<8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %expand_shape_159 = memref.expand_shape %alloc_158 [[0], [1, 2]] output_shape [8, 32, 1] : memref<8x32xf32> into memref<8x32x1xf32>
    %alloc_160 = memref.alloc() {alignment = 64 : i64} : memref<8x32x64xf32>
    linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_157, %expand_shape_159 : memref<8x32x64xf32>, memref<8x32x1xf32>) outs(%alloc_160 : memref<8x32x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.divf %in_849, %cst_2 : f32
      %4 = arith.subf %in, %3 : f32
      linalg.yield %4 : f32
    }
    %alloc_161 = memref.alloc() {alignment = 64 : i64} : memref<8x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_161 : memref<8x32xf32>)
    linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%alloc_160 : memref<8x32x64xf32>) outs(%alloc_161 : memref<8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.mulf %in, %in : f32
      %4 = arith.addf %out, %3 : f32
      linalg.yield %4 : f32
    }
    %expand_shape_162 = memref.expand_shape %alloc_161 [[0], [1, 2]] output_shape [8, 32, 1] : memref<8x32xf32> into memref<8x32x1xf32>
    %alloc_163 = memref.alloc() {alignment = 64 : i64} : memref<8x32x1xf32>
    linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expand_shape_162 : memref<8x32x1xf32>) outs(%alloc_163 : memref<8x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.divf %in, %cst_2 : f32
      %4 = arith.addf %3, %cst_4 : f32
      linalg.yield %4 : f32
    }
    %alloc_164 = memref.alloc() {alignment = 64 : i64} : memref<8x32x1xf32>
    linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_163 : memref<8x32x1xf32>) outs(%alloc_164 : memref<8x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = math.rsqrt %in : f32
      linalg.yield %3 : f32
    }
    %alloc_165 = memref.alloc() {alignment = 64 : i64} : memref<8x32x64xf32>
    linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_160, %alloc_164 : memref<8x32x64xf32>, memref<8x32x1xf32>) outs(%alloc_165 : memref<8x32x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in, %in_849 : f32
      linalg.yield %3 : f32
    }
    %alloc_166 = memref.alloc() {alignment = 64 : i64} : memref<8x32x64xf32>
    linalg.generic {indexing_maps = [#map1, #map4, #map4, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_165, %arg37, %arg36 : memref<8x32x64xf32>, memref<64xf32>, memref<64xf32>) outs(%alloc_166 : memref<8x32x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %out: f32):
      %3 = arith.mulf %in, %in_849 : f32
      %4 = arith.addf %3, %in_850 : f32
      linalg.yield %4 : f32
    }
    %collapse_shape_167 = memref.collapse_shape %alloc_166 [[0, 1], [2]] : memref<8x32x64xf32> into memref<256x64xf32>
    %alloc_168 = memref.alloc() {alignment = 64 : i64} : memref<256x64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_168 : memref<256x64xf32>)
    linalg.matmul ins(%collapse_shape_167, %arg43 : memref<256x64xf32>, memref<64x64xf32>) outs(%alloc_168 : memref<256x64xf32>)
    %alloc_169 = memref.alloc() {alignment = 64 : i64} : memref<256x64xf32>
    linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel"]} ins(%alloc_168, %arg42 : memref<256x64xf32>, memref<64xf32>) outs(%alloc_169 : memref<256x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.addf %in, %in_849 : f32
      linalg.yield %3 : f32
    }
    %expand_shape_170 = memref.expand_shape %alloc_169 [[0, 1], [2, 3]] output_shape [8, 32, 8, 8] : memref<256x64xf32> into memref<8x32x8x8xf32>
    %alloc_171 = memref.alloc() {alignment = 64 : i64} : memref<8x8x32x8xf32>
    linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expand_shape_170 : memref<8x32x8x8xf32>) outs(%alloc_171 : memref<8x8x32x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %alloc_172 = memref.alloc() {alignment = 64 : i64} : memref<256x64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_172 : memref<256x64xf32>)
    linalg.matmul ins(%collapse_shape_167, %arg35 : memref<256x64xf32>, memref<64x64xf32>) outs(%alloc_172 : memref<256x64xf32>)
    %alloc_173 = memref.alloc() {alignment = 64 : i64} : memref<256x64xf32>
    linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel"]} ins(%alloc_172, %arg34 : memref<256x64xf32>, memref<64xf32>) outs(%alloc_173 : memref<256x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.addf %in, %in_849 : f32
      linalg.yield %3 : f32
    }
    %expand_shape_174 = memref.expand_shape %alloc_173 [[0, 1], [2, 3]] output_shape [8, 32, 8, 8] : memref<256x64xf32> into memref<8x32x8x8xf32>
    %alloc_175 = memref.alloc() {alignment = 64 : i64} : memref<8x8x8x32xf32>
    linalg.generic {indexing_maps = [#map9, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expand_shape_174 : memref<8x32x8x8xf32>) outs(%alloc_175 : memref<8x8x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %alloc_176 = memref.alloc() {alignment = 64 : i64} : memref<256x64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_176 : memref<256x64xf32>)
    linalg.matmul ins(%collapse_shape_167, %arg47 : memref<256x64xf32>, memref<64x64xf32>) outs(%alloc_176 : memref<256x64xf32>)
    %alloc_177 = memref.alloc() {alignment = 64 : i64} : memref<256x64xf32>
    linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel"]} ins(%alloc_176, %arg46 : memref<256x64xf32>, memref<64xf32>) outs(%alloc_177 : memref<256x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.addf %in, %in_849 : f32
      linalg.yield %3 : f32
    }
    %expand_shape_178 = memref.expand_shape %alloc_177 [[0, 1], [2, 3]] output_shape [8, 32, 8, 8] : memref<256x64xf32> into memref<8x32x8x8xf32>
    %alloc_179 = memref.alloc() {alignment = 64 : i64} : memref<8x8x32x8xf32>
    linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expand_shape_178 : memref<8x32x8x8xf32>) outs(%alloc_179 : memref<8x8x32x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %collapse_shape_180 = memref.collapse_shape %alloc_171 [[0, 1], [2], [3]] : memref<8x8x32x8xf32> into memref<64x32x8xf32>
    %collapse_shape_181 = memref.collapse_shape %alloc_175 [[0, 1], [2], [3]] : memref<8x8x8x32xf32> into memref<64x8x32xf32>
    %alloc_182 = memref.alloc() {alignment = 64 : i64} : memref<64x32x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_182 : memref<64x32x32xf32>)
    linalg.batch_matmul ins(%collapse_shape_180, %collapse_shape_181 : memref<64x32x8xf32>, memref<64x8x32xf32>) outs(%alloc_182 : memref<64x32x32xf32>)
    %expand_shape_183 = memref.expand_shape %alloc_182 [[0, 1], [2], [3]] output_shape [8, 8, 32, 32] : memref<64x32x32xf32> into memref<8x8x32x32xf32>
    %alloc_184 = memref.alloc() {alignment = 64 : i64} : memref<8x8x32x32xf32>
    linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expand_shape_183 : memref<8x8x32x32xf32>) outs(%alloc_184 : memref<8x8x32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = linalg.index 2 : index
      %4 = linalg.index 3 : index
      %5 = arith.index_cast %4 : index to i32
      %6 = arith.index_cast %3 : index to i32
      %7 = arith.cmpi sge, %6, %5 : i32
      %8 = arith.select %7, %cst_0, %cst_1 : f32
      %9 = arith.divf %in, %cst_6 : f32
      %10 = arith.addf %9, %8 : f32
      linalg.yield %10 : f32
    }
    %alloc_185 = memref.alloc() {alignment = 64 : i64} : memref<8x8x32xf32>
    linalg.fill ins(%cst_7 : f32) outs(%alloc_185 : memref<8x8x32xf32>)
    linalg.generic {indexing_maps = [#map8, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%alloc_184 : memref<8x8x32x32xf32>) outs(%alloc_185 : memref<8x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.maximumf %out, %in : f32
      linalg.yield %3 : f32
    }
    %expand_shape_186 = memref.expand_shape %alloc_185 [[0], [1], [2, 3]] output_shape [8, 8, 32, 1] : memref<8x8x32xf32> into memref<8x8x32x1xf32>
    %alloc_187 = memref.alloc() {alignment = 64 : i64} : memref<8x8x32x32xf32>
    linalg.generic {indexing_maps = [#map8, #map11, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_184, %expand_shape_186 : memref<8x8x32x32xf32>, memref<8x8x32x1xf32>) outs(%alloc_187 : memref<8x8x32x32xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.cmpf oeq, %in, %in_849 : f32
      %4 = arith.uitofp %3 : i1 to f32
      linalg.yield %4 : f32
    }
    %alloc_188 = memref.alloc() {alignment = 64 : i64} : memref<8x8x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_188 : memref<8x8x32xf32>)
    linalg.generic {indexing_maps = [#map8, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%alloc_187 : memref<8x8x32x32xf32>) outs(%alloc_188 : memref<8x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %alloc_189 = memref.alloc() {alignment = 64 : i64} : memref<8x8x32x32xf32>
    linalg.generic {indexing_maps = [#map8, #map10, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_184, %alloc_185 : memref<8x8x32x32xf32>, memref<8x8x32xf32>) outs(%alloc_189 : memref<8x8x32x32xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.subf %in, %in_849 : f32
      %4 = math.exp %3 : f32
      linalg.yield %4 : f32
    }
    %alloc_190 = memref.alloc() {alignment = 64 : i64} : memref<8x8x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_190 : memref<8x8x32xf32>)
    linalg.generic {indexing_maps = [#map8, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%alloc_189 : memref<8x8x32x32xf32>) outs(%alloc_190 : memref<8x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %expand_shape_191 = memref.expand_shape %alloc_190 [[0], [1], [2, 3]] output_shape [8, 8, 32, 1] : memref<8x8x32xf32> into memref<8x8x32x1xf32>
    %alloc_192 = memref.alloc() {alignment = 64 : i64} : memref<8x8x32x32xf32>
    linalg.generic {indexing_maps = [#map8, #map10, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_189, %alloc_190 : memref<8x8x32x32xf32>, memref<8x8x32xf32>) outs(%alloc_192 : memref<8x8x32x32xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.divf %in, %in_849 : f32
      linalg.yield %3 : f32
    }
    %collapse_shape_193 = memref.collapse_shape %alloc_192 [[0, 1], [2], [3]] : memref<8x8x32x32xf32> into memref<64x32x32xf32>
    %collapse_shape_194 = memref.collapse_shape %alloc_179 [[0, 1], [2], [3]] : memref<8x8x32x8xf32> into memref<64x32x8xf32>
    %alloc_195 = memref.alloc() {alignment = 64 : i64} : memref<64x32x8xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_195 : memref<64x32x8xf32>)
    linalg.batch_matmul ins(%collapse_shape_193, %collapse_shape_194 : memref<64x32x32xf32>, memref<64x32x8xf32>) outs(%alloc_195 : memref<64x32x8xf32>)
    %expand_shape_196 = memref.expand_shape %alloc_195 [[0, 1], [2], [3]] output_shape [8, 8, 32, 8] : memref<64x32x8xf32> into memref<8x8x32x8xf32>
    %alloc_197 = memref.alloc() {alignment = 64 : i64} : memref<8x32x8x8xf32>
    linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expand_shape_196 : memref<8x8x32x8xf32>) outs(%alloc_197 : memref<8x32x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %collapse_shape_198 = memref.collapse_shape %alloc_197 [[0, 1], [2, 3]] : memref<8x32x8x8xf32> into memref<256x64xf32>
    %alloc_199 = memref.alloc() {alignment = 64 : i64} : memref<256x64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_199 : memref<256x64xf32>)
    linalg.matmul ins(%collapse_shape_198, %arg41 : memref<256x64xf32>, memref<64x64xf32>) outs(%alloc_199 : memref<256x64xf32>)
    %alloc_200 = memref.alloc() {alignment = 64 : i64} : memref<256x64xf32>
    linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel"]} ins(%alloc_199, %arg40 : memref<256x64xf32>, memref<64xf32>) outs(%alloc_200 : memref<256x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.addf %in, %in_849 : f32
      linalg.yield %3 : f32
    }
    %expand_shape_201 = memref.expand_shape %alloc_200 [[0, 1], [2]] output_shape [8, 32, 64] : memref<256x64xf32> into memref<8x32x64xf32>
    %alloc_202 = memref.alloc() {alignment = 64 : i64} : memref<8x32x64xf32>
    linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_157, %expand_shape_201 : memref<8x32x64xf32>, memref<8x32x64xf32>) outs(%alloc_202 : memref<8x32x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.addf %in, %in_849 : f32
      linalg.yield %3 : f32
    }
    %alloc_203 = memref.alloc() {alignment = 64 : i64} : memref<8x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_203 : memref<8x32xf32>)
    linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%alloc_202 : memref<8x32x64xf32>) outs(%alloc_203 : memref<8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %expand_shape_204 = memref.expand_shape %alloc_203 [[0], [1, 2]] output_shape [8, 32, 1] : memref<8x32xf32> into memref<8x32x1xf32>
    %alloc_205 = memref.alloc() {alignment = 64 : i64} : memref<8x32x64xf32>
    linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_202, %expand_shape_204 : memref<8x32x64xf32>, memref<8x32x1xf32>) outs(%alloc_205 : memref<8x32x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.divf %in_849, %cst_2 : f32
      %4 = arith.subf %in, %3 : f32
      linalg.yield %4 : f32
    }
    %alloc_206 = memref.alloc() {alignment = 64 : i64} : memref<8x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_206 : memref<8x32xf32>)
    linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%alloc_205 : memref<8x32x64xf32>) outs(%alloc_206 : memref<8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.mulf %in, %in : f32
      %4 = arith.addf %out, %3 : f32
      linalg.yield %4 : f32
    }
    %expand_shape_207 = memref.expand_shape %alloc_206 [[0], [1, 2]] output_shape [8, 32, 1] : memref<8x32xf32> into memref<8x32x1xf32>
    %alloc_208 = memref.alloc() {alignment = 64 : i64} : memref<8x32x1xf32>
    linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expand_shape_207 : memref<8x32x1xf32>) outs(%alloc_208 : memref<8x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.divf %in, %cst_2 : f32
      %4 = arith.addf %3, %cst_4 : f32
      linalg.yield %4 : f32
    }
    %alloc_209 = memref.alloc() {alignment = 64 : i64} : memref<8x32x1xf32>
    linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_208 : memref<8x32x1xf32>) outs(%alloc_209 : memref<8x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = math.rsqrt %in : f32
      linalg.yield %3 : f32
    }
    %alloc_210 = memref.alloc() {alignment = 64 : i64} : memref<8x32x64xf32>
    linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_205, %alloc_209 : memref<8x32x64xf32>, memref<8x32x1xf32>) outs(%alloc_210 : memref<8x32x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in, %in_849 : f32
      linalg.yield %3 : f32
    }
    %alloc_211 = memref.alloc() {alignment = 64 : i64} : memref<8x32x64xf32>
    linalg.generic {indexing_maps = [#map1, #map4, #map4, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_210, %arg39, %arg38 : memref<8x32x64xf32>, memref<64xf32>, memref<64xf32>) outs(%alloc_211 : memref<8x32x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %out: f32):
      %3 = arith.mulf %in, %in_849 : f32
      %4 = arith.addf %3, %in_850 : f32
      linalg.yield %4 : f32
    }
    %collapse_shape_212 = memref.collapse_shape %alloc_211 [[0, 1], [2]] : memref<8x32x64xf32> into memref<256x64xf32>
    %alloc_213 = memref.alloc() {alignment = 64 : i64} : memref<256x256xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_213 : memref<256x256xf32>)
    linalg.matmul ins(%collapse_shape_212, %arg45 : memref<256x64xf32>, memref<64x256xf32>) outs(%alloc_213 : memref<256x256xf32>)
    %alloc_214 = memref.alloc() {alignment = 64 : i64} : memref<256x256xf32>
    linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel"]} ins(%alloc_213, %arg44 : memref<256x256xf32>, memref<256xf32>) outs(%alloc_214 : memref<256x256xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.addf %in, %in_849 : f32
      linalg.yield %3 : f32
    }
    %expand_shape_215 = memref.expand_shape %alloc_214 [[0, 1], [2]] output_shape [8, 32, 256] : memref<256x256xf32> into memref<8x32x256xf32>
    %alloc_216 = memref.alloc() {alignment = 64 : i64} : memref<8x32x256xf32>
    linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expand_shape_215 : memref<8x32x256xf32>) outs(%alloc_216 : memref<8x32x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.mulf %in, %cst_9 : f32
      linalg.yield %3 : f32
    }
    %alloc_217 = memref.alloc() {alignment = 64 : i64} : memref<8x32x256xf32>
    linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expand_shape_215 : memref<8x32x256xf32>) outs(%alloc_217 : memref<8x32x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.mulf %in, %cst_10 : f32
      linalg.yield %3 : f32
    }
    %alloc_218 = memref.alloc() {alignment = 64 : i64} : memref<8x32x256xf32>
    linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_217, %expand_shape_215 : memref<8x32x256xf32>, memref<8x32x256xf32>) outs(%alloc_218 : memref<8x32x256xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in, %in_849 : f32
      linalg.yield %3 : f32
    }
    %alloc_219 = memref.alloc() {alignment = 64 : i64} : memref<8x32x256xf32>
    linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expand_shape_215, %alloc_218 : memref<8x32x256xf32>, memref<8x32x256xf32>) outs(%alloc_219 : memref<8x32x256xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %in : f32
      %4 = arith.addf %in, %3 : f32
      %5 = arith.mulf %4, %cst_11 : f32
      %6 = math.tanh %5 : f32
      linalg.yield %6 : f32
    }
    %alloc_220 = memref.alloc() {alignment = 64 : i64} : memref<8x32x256xf32>
    linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_219 : memref<8x32x256xf32>) outs(%alloc_220 : memref<8x32x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %in, %cst_8 : f32
      linalg.yield %3 : f32
    }
    %alloc_221 = memref.alloc() {alignment = 64 : i64} : memref<8x32x256xf32>
    linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_216, %alloc_220 : memref<8x32x256xf32>, memref<8x32x256xf32>) outs(%alloc_221 : memref<8x32x256xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in, %in_849 : f32
      linalg.yield %3 : f32
    }
    %collapse_shape_222 = memref.collapse_shape %alloc_221 [[0, 1], [2]] : memref<8x32x256xf32> into memref<256x256xf32>
    %alloc_223 = memref.alloc() {alignment = 64 : i64} : memref<256x64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_223 : memref<256x64xf32>)
    linalg.matmul ins(%collapse_shape_222, %arg33 : memref<256x256xf32>, memref<256x64xf32>) outs(%alloc_223 : memref<256x64xf32>)
    %alloc_224 = memref.alloc() {alignment = 64 : i64} : memref<256x64xf32>
    linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel"]} ins(%alloc_223, %arg32 : memref<256x64xf32>, memref<64xf32>) outs(%alloc_224 : memref<256x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.addf %in, %in_849 : f32
      linalg.yield %3 : f32
    }
    %expand_shape_225 = memref.expand_shape %alloc_224 [[0, 1], [2]] output_shape [8, 32, 64] : memref<256x64xf32> into memref<8x32x64xf32>
    %alloc_226 = memref.alloc() {alignment = 64 : i64} : memref<8x32x64xf32>
    linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_202, %expand_shape_225 : memref<8x32x64xf32>, memref<8x32x64xf32>) outs(%alloc_226 : memref<8x32x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.addf %in, %in_849 : f32
      linalg.yield %3 : f32
    }
    %alloc_227 = memref.alloc() {alignment = 64 : i64} : memref<8x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_227 : memref<8x32xf32>)
    linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%alloc_226 : memref<8x32x64xf32>) outs(%alloc_227 : memref<8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %expand_shape_228 = memref.expand_shape %alloc_227 [[0], [1, 2]] output_shape [8, 32, 1] : memref<8x32xf32> into memref<8x32x1xf32>
    %alloc_229 = memref.alloc() {alignment = 64 : i64} : memref<8x32x64xf32>
    linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_226, %expand_shape_228 : memref<8x32x64xf32>, memref<8x32x1xf32>) outs(%alloc_229 : memref<8x32x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.divf %in_849, %cst_2 : f32
      %4 = arith.subf %in, %3 : f32
      linalg.yield %4 : f32
    }
    %alloc_230 = memref.alloc() {alignment = 64 : i64} : memref<8x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_230 : memref<8x32xf32>)
    linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%alloc_229 : memref<8x32x64xf32>) outs(%alloc_230 : memref<8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.mulf %in, %in : f32
      %4 = arith.addf %out, %3 : f32
      linalg.yield %4 : f32
    }
    %expand_shape_231 = memref.expand_shape %alloc_230 [[0], [1, 2]] output_shape [8, 32, 1] : memref<8x32xf32> into memref<8x32x1xf32>
    %alloc_232 = memref.alloc() {alignment = 64 : i64} : memref<8x32x1xf32>
    linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expand_shape_231 : memref<8x32x1xf32>) outs(%alloc_232 : memref<8x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.divf %in, %cst_2 : f32
      %4 = arith.addf %3, %cst_4 : f32
      linalg.yield %4 : f32
    }
    %alloc_233 = memref.alloc() {alignment = 64 : i64} : memref<8x32x1xf32>
    linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_232 : memref<8x32x1xf32>) outs(%alloc_233 : memref<8x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = math.rsqrt %in : f32
      linalg.yield %3 : f32
    }
    %alloc_234 = memref.alloc() {alignment = 64 : i64} : memref<8x32x64xf32>
    linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_229, %alloc_233 : memref<8x32x64xf32>, memref<8x32x1xf32>) outs(%alloc_234 : memref<8x32x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in, %in_849 : f32
      linalg.yield %3 : f32
    }
    %alloc_235 = memref.alloc() {alignment = 64 : i64} : memref<8x32x64xf32>
    linalg.generic {indexing_maps = [#map1, #map4, #map4, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_234, %arg53, %arg52 : memref<8x32x64xf32>, memref<64xf32>, memref<64xf32>) outs(%alloc_235 : memref<8x32x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %out: f32):
      %3 = arith.mulf %in, %in_849 : f32
      %4 = arith.addf %3, %in_850 : f32
      linalg.yield %4 : f32
    }
    %collapse_shape_236 = memref.collapse_shape %alloc_235 [[0, 1], [2]] : memref<8x32x64xf32> into memref<256x64xf32>
    %alloc_237 = memref.alloc() {alignment = 64 : i64} : memref<256x64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_237 : memref<256x64xf32>)
    linalg.matmul ins(%collapse_shape_236, %arg59 : memref<256x64xf32>, memref<64x64xf32>) outs(%alloc_237 : memref<256x64xf32>)
    %alloc_238 = memref.alloc() {alignment = 64 : i64} : memref<256x64xf32>
    linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel"]} ins(%alloc_237, %arg58 : memref<256x64xf32>, memref<64xf32>) outs(%alloc_238 : memref<256x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.addf %in, %in_849 : f32
      linalg.yield %3 : f32
    }
    %expand_shape_239 = memref.expand_shape %alloc_238 [[0, 1], [2, 3]] output_shape [8, 32, 8, 8] : memref<256x64xf32> into memref<8x32x8x8xf32>
    %alloc_240 = memref.alloc() {alignment = 64 : i64} : memref<8x8x32x8xf32>
    linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expand_shape_239 : memref<8x32x8x8xf32>) outs(%alloc_240 : memref<8x8x32x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %alloc_241 = memref.alloc() {alignment = 64 : i64} : memref<256x64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_241 : memref<256x64xf32>)
    linalg.matmul ins(%collapse_shape_236, %arg51 : memref<256x64xf32>, memref<64x64xf32>) outs(%alloc_241 : memref<256x64xf32>)
    %alloc_242 = memref.alloc() {alignment = 64 : i64} : memref<256x64xf32>
    linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel"]} ins(%alloc_241, %arg50 : memref<256x64xf32>, memref<64xf32>) outs(%alloc_242 : memref<256x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.addf %in, %in_849 : f32
      linalg.yield %3 : f32
    }
    %expand_shape_243 = memref.expand_shape %alloc_242 [[0, 1], [2, 3]] output_shape [8, 32, 8, 8] : memref<256x64xf32> into memref<8x32x8x8xf32>
    %alloc_244 = memref.alloc() {alignment = 64 : i64} : memref<8x8x8x32xf32>
    linalg.generic {indexing_maps = [#map9, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expand_shape_243 : memref<8x32x8x8xf32>) outs(%alloc_244 : memref<8x8x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %alloc_245 = memref.alloc() {alignment = 64 : i64} : memref<256x64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_245 : memref<256x64xf32>)
    linalg.matmul ins(%collapse_shape_236, %arg63 : memref<256x64xf32>, memref<64x64xf32>) outs(%alloc_245 : memref<256x64xf32>)
    %alloc_246 = memref.alloc() {alignment = 64 : i64} : memref<256x64xf32>
    linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel"]} ins(%alloc_245, %arg62 : memref<256x64xf32>, memref<64xf32>) outs(%alloc_246 : memref<256x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.addf %in, %in_849 : f32
      linalg.yield %3 : f32
    }
    %expand_shape_247 = memref.expand_shape %alloc_246 [[0, 1], [2, 3]] output_shape [8, 32, 8, 8] : memref<256x64xf32> into memref<8x32x8x8xf32>
    %alloc_248 = memref.alloc() {alignment = 64 : i64} : memref<8x8x32x8xf32>
    linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expand_shape_247 : memref<8x32x8x8xf32>) outs(%alloc_248 : memref<8x8x32x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %collapse_shape_249 = memref.collapse_shape %alloc_240 [[0, 1], [2], [3]] : memref<8x8x32x8xf32> into memref<64x32x8xf32>
    %collapse_shape_250 = memref.collapse_shape %alloc_244 [[0, 1], [2], [3]] : memref<8x8x8x32xf32> into memref<64x8x32xf32>
    %alloc_251 = memref.alloc() {alignment = 64 : i64} : memref<64x32x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_251 : memref<64x32x32xf32>)
    linalg.batch_matmul ins(%collapse_shape_249, %collapse_shape_250 : memref<64x32x8xf32>, memref<64x8x32xf32>) outs(%alloc_251 : memref<64x32x32xf32>)
    %expand_shape_252 = memref.expand_shape %alloc_251 [[0, 1], [2], [3]] output_shape [8, 8, 32, 32] : memref<64x32x32xf32> into memref<8x8x32x32xf32>
    %alloc_253 = memref.alloc() {alignment = 64 : i64} : memref<8x8x32x32xf32>
    linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expand_shape_252 : memref<8x8x32x32xf32>) outs(%alloc_253 : memref<8x8x32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = linalg.index 2 : index
      %4 = linalg.index 3 : index
      %5 = arith.index_cast %4 : index to i32
      %6 = arith.index_cast %3 : index to i32
      %7 = arith.cmpi sge, %6, %5 : i32
      %8 = arith.select %7, %cst_0, %cst_1 : f32
      %9 = arith.divf %in, %cst_6 : f32
      %10 = arith.addf %9, %8 : f32
      linalg.yield %10 : f32
    }
    %alloc_254 = memref.alloc() {alignment = 64 : i64} : memref<8x8x32xf32>
    linalg.fill ins(%cst_7 : f32) outs(%alloc_254 : memref<8x8x32xf32>)
    linalg.generic {indexing_maps = [#map8, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%alloc_253 : memref<8x8x32x32xf32>) outs(%alloc_254 : memref<8x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.maximumf %out, %in : f32
      linalg.yield %3 : f32
    }
    %expand_shape_255 = memref.expand_shape %alloc_254 [[0], [1], [2, 3]] output_shape [8, 8, 32, 1] : memref<8x8x32xf32> into memref<8x8x32x1xf32>
    %alloc_256 = memref.alloc() {alignment = 64 : i64} : memref<8x8x32x32xf32>
    linalg.generic {indexing_maps = [#map8, #map11, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_253, %expand_shape_255 : memref<8x8x32x32xf32>, memref<8x8x32x1xf32>) outs(%alloc_256 : memref<8x8x32x32xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.cmpf oeq, %in, %in_849 : f32
      %4 = arith.uitofp %3 : i1 to f32
      linalg.yield %4 : f32
    }
    %alloc_257 = memref.alloc() {alignment = 64 : i64} : memref<8x8x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_257 : memref<8x8x32xf32>)
    linalg.generic {indexing_maps = [#map8, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%alloc_256 : memref<8x8x32x32xf32>) outs(%alloc_257 : memref<8x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %alloc_258 = memref.alloc() {alignment = 64 : i64} : memref<8x8x32x32xf32>
    linalg.generic {indexing_maps = [#map8, #map10, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_253, %alloc_254 : memref<8x8x32x32xf32>, memref<8x8x32xf32>) outs(%alloc_258 : memref<8x8x32x32xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.subf %in, %in_849 : f32
      %4 = math.exp %3 : f32
      linalg.yield %4 : f32
    }
    %alloc_259 = memref.alloc() {alignment = 64 : i64} : memref<8x8x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_259 : memref<8x8x32xf32>)
    linalg.generic {indexing_maps = [#map8, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%alloc_258 : memref<8x8x32x32xf32>) outs(%alloc_259 : memref<8x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %expand_shape_260 = memref.expand_shape %alloc_259 [[0], [1], [2, 3]] output_shape [8, 8, 32, 1] : memref<8x8x32xf32> into memref<8x8x32x1xf32>
    %alloc_261 = memref.alloc() {alignment = 64 : i64} : memref<8x8x32x32xf32>
    linalg.generic {indexing_maps = [#map8, #map10, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_258, %alloc_259 : memref<8x8x32x32xf32>, memref<8x8x32xf32>) outs(%alloc_261 : memref<8x8x32x32xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.divf %in, %in_849 : f32
      linalg.yield %3 : f32
    }
    %collapse_shape_262 = memref.collapse_shape %alloc_261 [[0, 1], [2], [3]] : memref<8x8x32x32xf32> into memref<64x32x32xf32>
    %collapse_shape_263 = memref.collapse_shape %alloc_248 [[0, 1], [2], [3]] : memref<8x8x32x8xf32> into memref<64x32x8xf32>
    %alloc_264 = memref.alloc() {alignment = 64 : i64} : memref<64x32x8xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_264 : memref<64x32x8xf32>)
    linalg.batch_matmul ins(%collapse_shape_262, %collapse_shape_263 : memref<64x32x32xf32>, memref<64x32x8xf32>) outs(%alloc_264 : memref<64x32x8xf32>)
    %expand_shape_265 = memref.expand_shape %alloc_264 [[0, 1], [2], [3]] output_shape [8, 8, 32, 8] : memref<64x32x8xf32> into memref<8x8x32x8xf32>
    %alloc_266 = memref.alloc() {alignment = 64 : i64} : memref<8x32x8x8xf32>
    linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expand_shape_265 : memref<8x8x32x8xf32>) outs(%alloc_266 : memref<8x32x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %collapse_shape_267 = memref.collapse_shape %alloc_266 [[0, 1], [2, 3]] : memref<8x32x8x8xf32> into memref<256x64xf32>
    %alloc_268 = memref.alloc() {alignment = 64 : i64} : memref<256x64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_268 : memref<256x64xf32>)
    linalg.matmul ins(%collapse_shape_267, %arg57 : memref<256x64xf32>, memref<64x64xf32>) outs(%alloc_268 : memref<256x64xf32>)
    %alloc_269 = memref.alloc() {alignment = 64 : i64} : memref<256x64xf32>
    linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel"]} ins(%alloc_268, %arg56 : memref<256x64xf32>, memref<64xf32>) outs(%alloc_269 : memref<256x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.addf %in, %in_849 : f32
      linalg.yield %3 : f32
    }
    %expand_shape_270 = memref.expand_shape %alloc_269 [[0, 1], [2]] output_shape [8, 32, 64] : memref<256x64xf32> into memref<8x32x64xf32>
    %alloc_271 = memref.alloc() {alignment = 64 : i64} : memref<8x32x64xf32>
    linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_226, %expand_shape_270 : memref<8x32x64xf32>, memref<8x32x64xf32>) outs(%alloc_271 : memref<8x32x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.addf %in, %in_849 : f32
      linalg.yield %3 : f32
    }
    %alloc_272 = memref.alloc() {alignment = 64 : i64} : memref<8x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_272 : memref<8x32xf32>)
    linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%alloc_271 : memref<8x32x64xf32>) outs(%alloc_272 : memref<8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %expand_shape_273 = memref.expand_shape %alloc_272 [[0], [1, 2]] output_shape [8, 32, 1] : memref<8x32xf32> into memref<8x32x1xf32>
    %alloc_274 = memref.alloc() {alignment = 64 : i64} : memref<8x32x64xf32>
    linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_271, %expand_shape_273 : memref<8x32x64xf32>, memref<8x32x1xf32>) outs(%alloc_274 : memref<8x32x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.divf %in_849, %cst_2 : f32
      %4 = arith.subf %in, %3 : f32
      linalg.yield %4 : f32
    }
    %alloc_275 = memref.alloc() {alignment = 64 : i64} : memref<8x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_275 : memref<8x32xf32>)
    linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%alloc_274 : memref<8x32x64xf32>) outs(%alloc_275 : memref<8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.mulf %in, %in : f32
      %4 = arith.addf %out, %3 : f32
      linalg.yield %4 : f32
    }
    %expand_shape_276 = memref.expand_shape %alloc_275 [[0], [1, 2]] output_shape [8, 32, 1] : memref<8x32xf32> into memref<8x32x1xf32>
    %alloc_277 = memref.alloc() {alignment = 64 : i64} : memref<8x32x1xf32>
    linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expand_shape_276 : memref<8x32x1xf32>) outs(%alloc_277 : memref<8x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.divf %in, %cst_2 : f32
      %4 = arith.addf %3, %cst_4 : f32
      linalg.yield %4 : f32
    }
    %alloc_278 = memref.alloc() {alignment = 64 : i64} : memref<8x32x1xf32>
    linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_277 : memref<8x32x1xf32>) outs(%alloc_278 : memref<8x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = math.rsqrt %in : f32
      linalg.yield %3 : f32
    }
    %alloc_279 = memref.alloc() {alignment = 64 : i64} : memref<8x32x64xf32>
    linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_274, %alloc_278 : memref<8x32x64xf32>, memref<8x32x1xf32>) outs(%alloc_279 : memref<8x32x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in, %in_849 : f32
      linalg.yield %3 : f32
    }
    %alloc_280 = memref.alloc() {alignment = 64 : i64} : memref<8x32x64xf32>
    linalg.generic {indexing_maps = [#map1, #map4, #map4, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_279, %arg55, %arg54 : memref<8x32x64xf32>, memref<64xf32>, memref<64xf32>) outs(%alloc_280 : memref<8x32x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %out: f32):
      %3 = arith.mulf %in, %in_849 : f32
      %4 = arith.addf %3, %in_850 : f32
      linalg.yield %4 : f32
    }
    %collapse_shape_281 = memref.collapse_shape %alloc_280 [[0, 1], [2]] : memref<8x32x64xf32> into memref<256x64xf32>
    %alloc_282 = memref.alloc() {alignment = 64 : i64} : memref<256x256xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_282 : memref<256x256xf32>)
    linalg.matmul ins(%collapse_shape_281, %arg61 : memref<256x64xf32>, memref<64x256xf32>) outs(%alloc_282 : memref<256x256xf32>)
    %alloc_283 = memref.alloc() {alignment = 64 : i64} : memref<256x256xf32>
    linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel"]} ins(%alloc_282, %arg60 : memref<256x256xf32>, memref<256xf32>) outs(%alloc_283 : memref<256x256xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.addf %in, %in_849 : f32
      linalg.yield %3 : f32
    }
    %expand_shape_284 = memref.expand_shape %alloc_283 [[0, 1], [2]] output_shape [8, 32, 256] : memref<256x256xf32> into memref<8x32x256xf32>
    %alloc_285 = memref.alloc() {alignment = 64 : i64} : memref<8x32x256xf32>
    linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expand_shape_284 : memref<8x32x256xf32>) outs(%alloc_285 : memref<8x32x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.mulf %in, %cst_9 : f32
      linalg.yield %3 : f32
    }
    %alloc_286 = memref.alloc() {alignment = 64 : i64} : memref<8x32x256xf32>
    linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expand_shape_284 : memref<8x32x256xf32>) outs(%alloc_286 : memref<8x32x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.mulf %in, %cst_10 : f32
      linalg.yield %3 : f32
    }
    %alloc_287 = memref.alloc() {alignment = 64 : i64} : memref<8x32x256xf32>
    linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_286, %expand_shape_284 : memref<8x32x256xf32>, memref<8x32x256xf32>) outs(%alloc_287 : memref<8x32x256xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in, %in_849 : f32
      linalg.yield %3 : f32
    }
    %alloc_288 = memref.alloc() {alignment = 64 : i64} : memref<8x32x256xf32>
    linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expand_shape_284, %alloc_287 : memref<8x32x256xf32>, memref<8x32x256xf32>) outs(%alloc_288 : memref<8x32x256xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %in : f32
      %4 = arith.addf %in, %3 : f32
      %5 = arith.mulf %4, %cst_11 : f32
      %6 = math.tanh %5 : f32
      linalg.yield %6 : f32
    }
    %alloc_289 = memref.alloc() {alignment = 64 : i64} : memref<8x32x256xf32>
    linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_288 : memref<8x32x256xf32>) outs(%alloc_289 : memref<8x32x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %in, %cst_8 : f32
      linalg.yield %3 : f32
    }
    %alloc_290 = memref.alloc() {alignment = 64 : i64} : memref<8x32x256xf32>
    linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_285, %alloc_289 : memref<8x32x256xf32>, memref<8x32x256xf32>) outs(%alloc_290 : memref<8x32x256xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in, %in_849 : f32
      linalg.yield %3 : f32
    }
    %collapse_shape_291 = memref.collapse_shape %alloc_290 [[0, 1], [2]] : memref<8x32x256xf32> into memref<256x256xf32>
    %alloc_292 = memref.alloc() {alignment = 64 : i64} : memref<256x64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_292 : memref<256x64xf32>)
    linalg.matmul ins(%collapse_shape_291, %arg49 : memref<256x256xf32>, memref<256x64xf32>) outs(%alloc_292 : memref<256x64xf32>)
    %alloc_293 = memref.alloc() {alignment = 64 : i64} : memref<256x64xf32>
    linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel"]} ins(%alloc_292, %arg48 : memref<256x64xf32>, memref<64xf32>) outs(%alloc_293 : memref<256x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.addf %in, %in_849 : f32
      linalg.yield %3 : f32
    }
    %expand_shape_294 = memref.expand_shape %alloc_293 [[0, 1], [2]] output_shape [8, 32, 64] : memref<256x64xf32> into memref<8x32x64xf32>
    %alloc_295 = memref.alloc() {alignment = 64 : i64} : memref<8x32x64xf32>
    linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_271, %expand_shape_294 : memref<8x32x64xf32>, memref<8x32x64xf32>) outs(%alloc_295 : memref<8x32x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.addf %in, %in_849 : f32
      linalg.yield %3 : f32
    }
    %alloc_296 = memref.alloc() {alignment = 64 : i64} : memref<8x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_296 : memref<8x32xf32>)
    linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%alloc_295 : memref<8x32x64xf32>) outs(%alloc_296 : memref<8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %expand_shape_297 = memref.expand_shape %alloc_296 [[0], [1, 2]] output_shape [8, 32, 1] : memref<8x32xf32> into memref<8x32x1xf32>
    %alloc_298 = memref.alloc() {alignment = 64 : i64} : memref<8x32x64xf32>
    linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_295, %expand_shape_297 : memref<8x32x64xf32>, memref<8x32x1xf32>) outs(%alloc_298 : memref<8x32x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.divf %in_849, %cst_2 : f32
      %4 = arith.subf %in, %3 : f32
      linalg.yield %4 : f32
    }
    %alloc_299 = memref.alloc() {alignment = 64 : i64} : memref<8x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_299 : memref<8x32xf32>)
    linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%alloc_298 : memref<8x32x64xf32>) outs(%alloc_299 : memref<8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.mulf %in, %in : f32
      %4 = arith.addf %out, %3 : f32
      linalg.yield %4 : f32
    }
    %expand_shape_300 = memref.expand_shape %alloc_299 [[0], [1, 2]] output_shape [8, 32, 1] : memref<8x32xf32> into memref<8x32x1xf32>
    %alloc_301 = memref.alloc() {alignment = 64 : i64} : memref<8x32x1xf32>
    linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expand_shape_300 : memref<8x32x1xf32>) outs(%alloc_301 : memref<8x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.divf %in, %cst_2 : f32
      %4 = arith.addf %3, %cst_4 : f32
      linalg.yield %4 : f32
    }
    %alloc_302 = memref.alloc() {alignment = 64 : i64} : memref<8x32x1xf32>
    linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_301 : memref<8x32x1xf32>) outs(%alloc_302 : memref<8x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = math.rsqrt %in : f32
      linalg.yield %3 : f32
    }
    %alloc_303 = memref.alloc() {alignment = 64 : i64} : memref<8x32x64xf32>
    linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_298, %alloc_302 : memref<8x32x64xf32>, memref<8x32x1xf32>) outs(%alloc_303 : memref<8x32x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in, %in_849 : f32
      linalg.yield %3 : f32
    }
    %alloc_304 = memref.alloc() {alignment = 64 : i64} : memref<8x32x64xf32>
    linalg.generic {indexing_maps = [#map1, #map4, #map4, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_303, %arg65, %arg64 : memref<8x32x64xf32>, memref<64xf32>, memref<64xf32>) outs(%alloc_304 : memref<8x32x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %out: f32):
      %3 = arith.mulf %in, %in_849 : f32
      %4 = arith.addf %3, %in_850 : f32
      linalg.yield %4 : f32
    }
    %collapse_shape_305 = memref.collapse_shape %alloc_304 [[0, 1], [2]] : memref<8x32x64xf32> into memref<256x64xf32>
    %alloc_306 = memref.alloc() {alignment = 64 : i64} : memref<64x256xf32>
    linalg.generic {indexing_maps = [#map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%collapse_shape_305 : memref<256x64xf32>) outs(%alloc_306 : memref<64x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %alloc_307 = memref.alloc() {alignment = 64 : i64} : memref<512x256xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_307 : memref<512x256xf32>)
    linalg.matmul ins(%arg67, %alloc_306 : memref<512x64xf32>, memref<64x256xf32>) outs(%alloc_307 : memref<512x256xf32>)
    %alloc_308 = memref.alloc() {alignment = 64 : i64} : memref<256xf32>
    linalg.fill ins(%cst_7 : f32) outs(%alloc_308 : memref<256xf32>)
    linalg.generic {indexing_maps = [#map12, #map13], iterator_types = ["parallel", "reduction"]} ins(%alloc_307 : memref<512x256xf32>) outs(%alloc_308 : memref<256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.maximumf %out, %in : f32
      linalg.yield %3 : f32
    }
    %expand_shape_309 = memref.expand_shape %alloc_308 [[0, 1]] output_shape [1, 256] : memref<256xf32> into memref<1x256xf32>
    %alloc_310 = memref.alloc() {alignment = 64 : i64} : memref<512x256xf32>
    linalg.generic {indexing_maps = [#map5, #map14, #map5], iterator_types = ["parallel", "parallel"]} ins(%alloc_307, %expand_shape_309 : memref<512x256xf32>, memref<1x256xf32>) outs(%alloc_310 : memref<512x256xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.cmpf oeq, %in, %in_849 : f32
      %4 = arith.uitofp %3 : i1 to f32
      linalg.yield %4 : f32
    }
    %alloc_311 = memref.alloc() {alignment = 64 : i64} : memref<256xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_311 : memref<256xf32>)
    linalg.generic {indexing_maps = [#map12, #map13], iterator_types = ["parallel", "reduction"]} ins(%alloc_310 : memref<512x256xf32>) outs(%alloc_311 : memref<256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %alloc_312 = memref.alloc() {alignment = 64 : i64} : memref<512x256xf32>
    linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel"]} ins(%alloc_307, %alloc_308 : memref<512x256xf32>, memref<256xf32>) outs(%alloc_312 : memref<512x256xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.subf %in, %in_849 : f32
      linalg.yield %3 : f32
    }
    %alloc_313 = memref.alloc() {alignment = 64 : i64} : memref<512x256xf32>
    linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%alloc_312 : memref<512x256xf32>) outs(%alloc_313 : memref<512x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = math.exp %in : f32
      linalg.yield %3 : f32
    }
    %alloc_314 = memref.alloc() {alignment = 64 : i64} : memref<256xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_314 : memref<256xf32>)
    linalg.generic {indexing_maps = [#map12, #map13], iterator_types = ["parallel", "reduction"]} ins(%alloc_313 : memref<512x256xf32>) outs(%alloc_314 : memref<256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %alloc_315 = memref.alloc() {alignment = 64 : i64} : memref<256xf32>
    linalg.generic {indexing_maps = [#map15, #map15], iterator_types = ["parallel"]} ins(%alloc_314 : memref<256xf32>) outs(%alloc_315 : memref<256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = math.log %in : f32
      linalg.yield %3 : f32
    }
    %collapse_shape_316 = memref.collapse_shape %arg205 [[0, 1]] : memref<8x32xi32> into memref<256xi32>
    %expand_shape_317 = memref.expand_shape %collapse_shape_316 [[0, 1]] output_shape [1, 256] : memref<256xi32> into memref<1x256xi32>
    %alloc_318 = memref.alloc() {alignment = 64 : i64} : memref<512x256xf32>
    linalg.generic {indexing_maps = [#map14, #map5], iterator_types = ["parallel", "parallel"]} ins(%expand_shape_317 : memref<1x256xi32>) outs(%alloc_318 : memref<512x256xf32>) {
    ^bb0(%in: i32, %out: f32):
      %3 = linalg.index 0 : index
      %4 = arith.index_cast %3 : index to i32
      %5 = arith.cmpi eq, %4, %in : i32
      %6 = arith.uitofp %5 : i1 to f32
      linalg.yield %6 : f32
    }
    %alloc_319 = memref.alloc() {alignment = 64 : i64} : memref<256xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_319 : memref<256xf32>)
    linalg.generic {indexing_maps = [#map12, #map12, #map13, #map13], iterator_types = ["parallel", "reduction"]} ins(%alloc_318, %alloc_312, %alloc_315 : memref<512x256xf32>, memref<512x256xf32>, memref<256xf32>) outs(%alloc_319 : memref<256xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %out: f32):
      %3 = arith.subf %in_849, %in_850 : f32
      %4 = arith.cmpf une, %in, %cst_0 : f32
      %5 = arith.select %4, %3, %cst_0 : f32
      %6 = arith.addf %out, %5 : f32
      linalg.yield %6 : f32
    }
    %alloc_320 = memref.alloc() {alignment = 64 : i64} : memref<f32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_320 : memref<f32>)
    linalg.generic {indexing_maps = [#map15, #map16], iterator_types = ["reduction"]} ins(%alloc_319 : memref<256xf32>) outs(%alloc_320 : memref<f32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %0 = memref.load %alloc_320[] : memref<f32>
    %1 = arith.divf %0, %cst_12 : f32
    %2 = arith.negf %1 : f32
    memref.store %2, %arg410[] : memref<f32>
    %alloc_321 = memref.alloc() {alignment = 64 : i64} : memref<512x256xf32>
    linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%alloc_318 : memref<512x256xf32>) outs(%alloc_321 : memref<512x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.cmpf une, %in, %cst_0 : f32
      %4 = arith.select %3, %cst, %cst_0 : f32
      linalg.yield %4 : f32
    }
    %alloc_322 = memref.alloc() {alignment = 64 : i64} : memref<256xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_322 : memref<256xf32>)
    linalg.generic {indexing_maps = [#map12, #map13], iterator_types = ["parallel", "reduction"]} ins(%alloc_321 : memref<512x256xf32>) outs(%alloc_322 : memref<256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.subf %out, %in : f32
      linalg.yield %3 : f32
    }
    %expand_shape_323 = memref.expand_shape %alloc_322 [[0, 1]] output_shape [1, 256] : memref<256xf32> into memref<1x256xf32>
    %alloc_324 = memref.alloc() {alignment = 64 : i64} : memref<256xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_324 : memref<256xf32>)
    linalg.generic {indexing_maps = [#map12, #map13, #map13], iterator_types = ["parallel", "reduction"]} ins(%expand_shape_323, %alloc_314 : memref<1x256xf32>, memref<256xf32>) outs(%alloc_324 : memref<256xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.divf %in, %in_849 : f32
      %4 = arith.addf %out, %3 : f32
      linalg.yield %4 : f32
    }
    %alloc_325 = memref.alloc() {alignment = 64 : i64} : memref<512x256xf32>
    linalg.generic {indexing_maps = [#map5, #map6, #map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%alloc_321, %alloc_324, %alloc_313 : memref<512x256xf32>, memref<256xf32>, memref<512x256xf32>) outs(%alloc_325 : memref<512x256xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %out: f32):
      %3 = arith.mulf %in_849, %in_850 : f32
      %4 = arith.addf %in, %3 : f32
      linalg.yield %4 : f32
    }
    %alloc_326 = memref.alloc() {alignment = 64 : i64} : memref<256xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_326 : memref<256xf32>)
    linalg.generic {indexing_maps = [#map12, #map13], iterator_types = ["parallel", "reduction"]} ins(%alloc_325 : memref<512x256xf32>) outs(%alloc_326 : memref<256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.subf %out, %in : f32
      linalg.yield %3 : f32
    }
    %expand_shape_327 = memref.expand_shape %alloc_326 [[0, 1]] output_shape [1, 256] : memref<256xf32> into memref<1x256xf32>
    %alloc_328 = memref.alloc() {alignment = 64 : i64} : memref<256xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_328 : memref<256xf32>)
    linalg.generic {indexing_maps = [#map12, #map13], iterator_types = ["parallel", "reduction"]} ins(%expand_shape_327 : memref<1x256xf32>) outs(%alloc_328 : memref<256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %alloc_329 = memref.alloc() {alignment = 64 : i64} : memref<512x256xf32>
    linalg.generic {indexing_maps = [#map5, #map5, #map6, #map6, #map5], iterator_types = ["parallel", "parallel"]} ins(%alloc_325, %alloc_310, %alloc_328, %alloc_311 : memref<512x256xf32>, memref<512x256xf32>, memref<256xf32>, memref<256xf32>) outs(%alloc_329 : memref<512x256xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %in_851: f32, %out: f32):
      %3 = arith.divf %in_850, %in_851 : f32
      %4 = arith.cmpf une, %in_849, %cst_0 : f32
      %5 = arith.select %4, %3, %cst_0 : f32
      %6 = arith.addf %in, %5 : f32
      linalg.yield %6 : f32
    }
    %alloc_330 = memref.alloc() {alignment = 64 : i64} : memref<256x512xf32>
    linalg.generic {indexing_maps = [#map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%alloc_329 : memref<512x256xf32>) outs(%alloc_330 : memref<256x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %alloc_331 = memref.alloc() {alignment = 64 : i64} : memref<256x64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_331 : memref<256x64xf32>)
    linalg.matmul ins(%alloc_330, %arg67 : memref<256x512xf32>, memref<512x64xf32>) outs(%alloc_331 : memref<256x64xf32>)
    %alloc_332 = memref.alloc() {alignment = 64 : i64} : memref<512x64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_332 : memref<512x64xf32>)
    linalg.matmul ins(%alloc_329, %collapse_shape_305 : memref<512x256xf32>, memref<256x64xf32>) outs(%alloc_332 : memref<512x64xf32>)
    %expand_shape_333 = memref.expand_shape %alloc_331 [[0, 1], [2]] output_shape [8, 32, 64] : memref<256x64xf32> into memref<8x32x64xf32>
    %alloc_334 = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_334 : memref<64xf32>)
    linalg.generic {indexing_maps = [#map17, #map18], iterator_types = ["parallel", "reduction", "reduction"]} ins(%expand_shape_333 : memref<8x32x64xf32>) outs(%alloc_334 : memref<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %expand_shape_335 = memref.expand_shape %alloc_334 [[0, 1, 2]] output_shape [1, 1, 64] : memref<64xf32> into memref<1x1x64xf32>
    %alloc_336 = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_336 : memref<64xf32>)
    linalg.generic {indexing_maps = [#map17, #map18], iterator_types = ["parallel", "reduction", "reduction"]} ins(%expand_shape_335 : memref<1x1x64xf32>) outs(%alloc_336 : memref<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %alloc_337 = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_337 : memref<64xf32>)
    linalg.generic {indexing_maps = [#map17, #map17, #map18], iterator_types = ["parallel", "reduction", "reduction"]} ins(%alloc_303, %expand_shape_333 : memref<8x32x64xf32>, memref<8x32x64xf32>) outs(%alloc_337 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in, %in_849 : f32
      %4 = arith.addf %out, %3 : f32
      linalg.yield %4 : f32
    }
    %expand_shape_338 = memref.expand_shape %alloc_337 [[0, 1, 2]] output_shape [1, 1, 64] : memref<64xf32> into memref<1x1x64xf32>
    %alloc_339 = memref.alloc() {alignment = 64 : i64} : memref<8x32x64xf32>
    linalg.generic {indexing_maps = [#map1, #map4, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expand_shape_333, %arg65 : memref<8x32x64xf32>, memref<64xf32>) outs(%alloc_339 : memref<8x32x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in, %in_849 : f32
      linalg.yield %3 : f32
    }
    %alloc_340 = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_340 : memref<64xf32>)
    linalg.generic {indexing_maps = [#map17, #map18], iterator_types = ["parallel", "reduction", "reduction"]} ins(%expand_shape_338 : memref<1x1x64xf32>) outs(%alloc_340 : memref<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %alloc_341 = memref.alloc() {alignment = 64 : i64} : memref<8x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_341 : memref<8x32xf32>)
    linalg.generic {indexing_maps = [#map1, #map1, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%alloc_298, %alloc_339 : memref<8x32x64xf32>, memref<8x32x64xf32>) outs(%alloc_341 : memref<8x32xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in, %in_849 : f32
      %4 = arith.addf %out, %3 : f32
      linalg.yield %4 : f32
    }
    %expand_shape_342 = memref.expand_shape %alloc_341 [[0], [1, 2]] output_shape [8, 32, 1] : memref<8x32xf32> into memref<8x32x1xf32>
    %alloc_343 = memref.alloc() {alignment = 64 : i64} : memref<8x32x64xf32>
    linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_339, %alloc_302 : memref<8x32x64xf32>, memref<8x32x1xf32>) outs(%alloc_343 : memref<8x32x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in, %in_849 : f32
      linalg.yield %3 : f32
    }
    %alloc_344 = memref.alloc() {alignment = 64 : i64} : memref<8x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_344 : memref<8x32xf32>)
    linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%alloc_343 : memref<8x32x64xf32>) outs(%alloc_344 : memref<8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.subf %out, %in : f32
      linalg.yield %3 : f32
    }
    %expand_shape_345 = memref.expand_shape %alloc_344 [[0], [1, 2]] output_shape [8, 32, 1] : memref<8x32xf32> into memref<8x32x1xf32>
    %alloc_346 = memref.alloc() {alignment = 64 : i64} : memref<8x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_346 : memref<8x32xf32>)
    linalg.generic {indexing_maps = [#map1, #map1, #map1, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%expand_shape_342, %alloc_302, %alloc_301 : memref<8x32x1xf32>, memref<8x32x1xf32>, memref<8x32x1xf32>) outs(%alloc_346 : memref<8x32xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %out: f32):
      %3 = arith.divf %in_849, %in_850 : f32
      %4 = arith.mulf %3, %cst_5 : f32
      %5 = arith.mulf %in, %4 : f32
      %6 = arith.divf %5, %cst_2 : f32
      %7 = arith.addf %out, %6 : f32
      linalg.yield %7 : f32
    }
    %alloc_347 = memref.alloc() {alignment = 64 : i64} : memref<8x32x64xf32>
    linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_346, %alloc_298 : memref<8x32xf32>, memref<8x32x64xf32>) outs(%alloc_347 : memref<8x32x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_3 : f32
      %4 = arith.mulf %in, %3 : f32
      linalg.yield %4 : f32
    }
    %alloc_348 = memref.alloc() {alignment = 64 : i64} : memref<8x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_348 : memref<8x32xf32>)
    linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%alloc_347 : memref<8x32x64xf32>) outs(%alloc_348 : memref<8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.subf %out, %in : f32
      linalg.yield %3 : f32
    }
    %expand_shape_349 = memref.expand_shape %alloc_348 [[0], [1, 2]] output_shape [8, 32, 1] : memref<8x32xf32> into memref<8x32x1xf32>
    %alloc_350 = memref.alloc() {alignment = 64 : i64} : memref<8x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_350 : memref<8x32xf32>)
    linalg.generic {indexing_maps = [#map1, #map1, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%expand_shape_345, %expand_shape_349 : memref<8x32x1xf32>, memref<8x32x1xf32>) outs(%alloc_350 : memref<8x32xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.addf %in, %in_849 : f32
      %4 = arith.divf %3, %cst_2 : f32
      %5 = arith.addf %out, %4 : f32
      linalg.yield %5 : f32
    }
    %alloc_351 = memref.alloc() {alignment = 64 : i64} : memref<8x32x64xf32>
    linalg.generic {indexing_maps = [#map1, #map1, #map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_343, %alloc_347, %alloc_350 : memref<8x32x64xf32>, memref<8x32x64xf32>, memref<8x32xf32>) outs(%alloc_351 : memref<8x32x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %out: f32):
      %3 = arith.addf %in, %in_849 : f32
      %4 = arith.addf %3, %in_850 : f32
      linalg.yield %4 : f32
    }
    %collapse_shape_352 = memref.collapse_shape %alloc_351 [[0, 1], [2]] : memref<8x32x64xf32> into memref<256x64xf32>
    %alloc_353 = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_353 : memref<64xf32>)
    linalg.generic {indexing_maps = [#map12, #map13], iterator_types = ["parallel", "reduction"]} ins(%collapse_shape_352 : memref<256x64xf32>) outs(%alloc_353 : memref<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %expand_shape_354 = memref.expand_shape %alloc_353 [[0, 1]] output_shape [1, 64] : memref<64xf32> into memref<1x64xf32>
    %alloc_355 = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_355 : memref<64xf32>)
    linalg.generic {indexing_maps = [#map12, #map13], iterator_types = ["parallel", "reduction"]} ins(%expand_shape_354 : memref<1x64xf32>) outs(%alloc_355 : memref<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %alloc_356 = memref.alloc() {alignment = 64 : i64} : memref<64x256xf32>
    linalg.generic {indexing_maps = [#map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%collapse_shape_352 : memref<256x64xf32>) outs(%alloc_356 : memref<64x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %alloc_357 = memref.alloc() {alignment = 64 : i64} : memref<64x256xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_357 : memref<64x256xf32>)
    linalg.matmul ins(%alloc_356, %collapse_shape_291 : memref<64x256xf32>, memref<256x256xf32>) outs(%alloc_357 : memref<64x256xf32>)
    %alloc_358 = memref.alloc() {alignment = 64 : i64} : memref<64x256xf32>
    linalg.generic {indexing_maps = [#map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg49 : memref<256x64xf32>) outs(%alloc_358 : memref<64x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %alloc_359 = memref.alloc() {alignment = 64 : i64} : memref<256x256xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_359 : memref<256x256xf32>)
    linalg.matmul ins(%collapse_shape_352, %alloc_358 : memref<256x64xf32>, memref<64x256xf32>) outs(%alloc_359 : memref<256x256xf32>)
    %expand_shape_360 = memref.expand_shape %alloc_359 [[0, 1], [2]] output_shape [8, 32, 256] : memref<256x256xf32> into memref<8x32x256xf32>
    %alloc_361 = memref.alloc() {alignment = 64 : i64} : memref<8x32x256xf32>
    linalg.generic {indexing_maps = [#map1, #map1, #map1, #map1, #map1, #map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_285, %expand_shape_360, %alloc_288, %alloc_287, %alloc_286, %expand_shape_284, %alloc_289 : memref<8x32x256xf32>, memref<8x32x256xf32>, memref<8x32x256xf32>, memref<8x32x256xf32>, memref<8x32x256xf32>, memref<8x32x256xf32>, memref<8x32x256xf32>) outs(%alloc_361 : memref<8x32x256xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %in_851: f32, %in_852: f32, %in_853: f32, %in_854: f32, %out: f32):
      %3 = arith.subf %cst_8, %in_850 : f32
      %4 = arith.mulf %in, %in_849 : f32
      %5 = arith.mulf %4, %3 : f32
      %6 = arith.mulf %5, %in_850 : f32
      %7 = arith.addf %5, %6 : f32
      %8 = arith.mulf %7, %cst_11 : f32
      %9 = arith.mulf %8, %in_853 : f32
      %10 = arith.mulf %in_852, %9 : f32
      %11 = arith.mulf %in_851, %8 : f32
      %12 = arith.addf %8, %11 : f32
      %13 = arith.mulf %in_849, %in_854 : f32
      %14 = arith.mulf %9, %in_853 : f32
      %15 = arith.mulf %14, %cst_10 : f32
      %16 = arith.addf %12, %10 : f32
      %17 = arith.mulf %13, %cst_9 : f32
      %18 = arith.addf %16, %15 : f32
      %19 = arith.addf %18, %17 : f32
      linalg.yield %19 : f32
    }
    %collapse_shape_362 = memref.collapse_shape %alloc_361 [[0, 1], [2]] : memref<8x32x256xf32> into memref<256x256xf32>
    %alloc_363 = memref.alloc() {alignment = 64 : i64} : memref<256xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_363 : memref<256xf32>)
    linalg.generic {indexing_maps = [#map12, #map13], iterator_types = ["parallel", "reduction"]} ins(%collapse_shape_362 : memref<256x256xf32>) outs(%alloc_363 : memref<256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %expand_shape_364 = memref.expand_shape %alloc_363 [[0, 1]] output_shape [1, 256] : memref<256xf32> into memref<1x256xf32>
    %alloc_365 = memref.alloc() {alignment = 64 : i64} : memref<256xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_365 : memref<256xf32>)
    linalg.generic {indexing_maps = [#map12, #map13], iterator_types = ["parallel", "reduction"]} ins(%expand_shape_364 : memref<1x256xf32>) outs(%alloc_365 : memref<256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %alloc_366 = memref.alloc() {alignment = 64 : i64} : memref<256x256xf32>
    linalg.generic {indexing_maps = [#map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%collapse_shape_362 : memref<256x256xf32>) outs(%alloc_366 : memref<256x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %alloc_367 = memref.alloc() {alignment = 64 : i64} : memref<256x64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_367 : memref<256x64xf32>)
    linalg.matmul ins(%alloc_366, %collapse_shape_281 : memref<256x256xf32>, memref<256x64xf32>) outs(%alloc_367 : memref<256x64xf32>)
    %alloc_368 = memref.alloc() {alignment = 64 : i64} : memref<256x64xf32>
    linalg.generic {indexing_maps = [#map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg61 : memref<64x256xf32>) outs(%alloc_368 : memref<256x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %alloc_369 = memref.alloc() {alignment = 64 : i64} : memref<256x64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_369 : memref<256x64xf32>)
    linalg.matmul ins(%collapse_shape_362, %alloc_368 : memref<256x256xf32>, memref<256x64xf32>) outs(%alloc_369 : memref<256x64xf32>)
    %expand_shape_370 = memref.expand_shape %alloc_369 [[0, 1], [2]] output_shape [8, 32, 64] : memref<256x64xf32> into memref<8x32x64xf32>
    %alloc_371 = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_371 : memref<64xf32>)
    linalg.generic {indexing_maps = [#map17, #map18], iterator_types = ["parallel", "reduction", "reduction"]} ins(%expand_shape_370 : memref<8x32x64xf32>) outs(%alloc_371 : memref<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %expand_shape_372 = memref.expand_shape %alloc_371 [[0, 1, 2]] output_shape [1, 1, 64] : memref<64xf32> into memref<1x1x64xf32>
    %alloc_373 = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_373 : memref<64xf32>)
    linalg.generic {indexing_maps = [#map17, #map18], iterator_types = ["parallel", "reduction", "reduction"]} ins(%expand_shape_372 : memref<1x1x64xf32>) outs(%alloc_373 : memref<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %alloc_374 = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_374 : memref<64xf32>)
    linalg.generic {indexing_maps = [#map17, #map17, #map18], iterator_types = ["parallel", "reduction", "reduction"]} ins(%alloc_279, %expand_shape_370 : memref<8x32x64xf32>, memref<8x32x64xf32>) outs(%alloc_374 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in, %in_849 : f32
      %4 = arith.addf %out, %3 : f32
      linalg.yield %4 : f32
    }
    %expand_shape_375 = memref.expand_shape %alloc_374 [[0, 1, 2]] output_shape [1, 1, 64] : memref<64xf32> into memref<1x1x64xf32>
    %alloc_376 = memref.alloc() {alignment = 64 : i64} : memref<8x32x64xf32>
    linalg.generic {indexing_maps = [#map1, #map4, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expand_shape_370, %arg55 : memref<8x32x64xf32>, memref<64xf32>) outs(%alloc_376 : memref<8x32x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in, %in_849 : f32
      linalg.yield %3 : f32
    }
    %alloc_377 = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_377 : memref<64xf32>)
    linalg.generic {indexing_maps = [#map17, #map18], iterator_types = ["parallel", "reduction", "reduction"]} ins(%expand_shape_375 : memref<1x1x64xf32>) outs(%alloc_377 : memref<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %alloc_378 = memref.alloc() {alignment = 64 : i64} : memref<8x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_378 : memref<8x32xf32>)
    linalg.generic {indexing_maps = [#map1, #map1, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%alloc_274, %alloc_376 : memref<8x32x64xf32>, memref<8x32x64xf32>) outs(%alloc_378 : memref<8x32xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in, %in_849 : f32
      %4 = arith.addf %out, %3 : f32
      linalg.yield %4 : f32
    }
    %expand_shape_379 = memref.expand_shape %alloc_378 [[0], [1, 2]] output_shape [8, 32, 1] : memref<8x32xf32> into memref<8x32x1xf32>
    %alloc_380 = memref.alloc() {alignment = 64 : i64} : memref<8x32x64xf32>
    linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_376, %alloc_278 : memref<8x32x64xf32>, memref<8x32x1xf32>) outs(%alloc_380 : memref<8x32x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in, %in_849 : f32
      linalg.yield %3 : f32
    }
    %alloc_381 = memref.alloc() {alignment = 64 : i64} : memref<8x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_381 : memref<8x32xf32>)
    linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%alloc_380 : memref<8x32x64xf32>) outs(%alloc_381 : memref<8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.subf %out, %in : f32
      linalg.yield %3 : f32
    }
    %expand_shape_382 = memref.expand_shape %alloc_381 [[0], [1, 2]] output_shape [8, 32, 1] : memref<8x32xf32> into memref<8x32x1xf32>
    %alloc_383 = memref.alloc() {alignment = 64 : i64} : memref<8x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_383 : memref<8x32xf32>)
    linalg.generic {indexing_maps = [#map1, #map1, #map1, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%expand_shape_379, %alloc_278, %alloc_277 : memref<8x32x1xf32>, memref<8x32x1xf32>, memref<8x32x1xf32>) outs(%alloc_383 : memref<8x32xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %out: f32):
      %3 = arith.divf %in_849, %in_850 : f32
      %4 = arith.mulf %3, %cst_5 : f32
      %5 = arith.mulf %in, %4 : f32
      %6 = arith.divf %5, %cst_2 : f32
      %7 = arith.addf %out, %6 : f32
      linalg.yield %7 : f32
    }
    %alloc_384 = memref.alloc() {alignment = 64 : i64} : memref<8x32x64xf32>
    linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_383, %alloc_274 : memref<8x32xf32>, memref<8x32x64xf32>) outs(%alloc_384 : memref<8x32x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_3 : f32
      %4 = arith.mulf %in, %3 : f32
      linalg.yield %4 : f32
    }
    %alloc_385 = memref.alloc() {alignment = 64 : i64} : memref<8x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_385 : memref<8x32xf32>)
    linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%alloc_384 : memref<8x32x64xf32>) outs(%alloc_385 : memref<8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.subf %out, %in : f32
      linalg.yield %3 : f32
    }
    %expand_shape_386 = memref.expand_shape %alloc_385 [[0], [1, 2]] output_shape [8, 32, 1] : memref<8x32xf32> into memref<8x32x1xf32>
    %alloc_387 = memref.alloc() {alignment = 64 : i64} : memref<8x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_387 : memref<8x32xf32>)
    linalg.generic {indexing_maps = [#map1, #map1, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%expand_shape_382, %expand_shape_386 : memref<8x32x1xf32>, memref<8x32x1xf32>) outs(%alloc_387 : memref<8x32xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.addf %in, %in_849 : f32
      %4 = arith.divf %3, %cst_2 : f32
      %5 = arith.addf %out, %4 : f32
      linalg.yield %5 : f32
    }
    %alloc_388 = memref.alloc() {alignment = 64 : i64} : memref<8x32x64xf32>
    linalg.generic {indexing_maps = [#map1, #map1, #map1, #map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_351, %alloc_380, %alloc_384, %alloc_387 : memref<8x32x64xf32>, memref<8x32x64xf32>, memref<8x32x64xf32>, memref<8x32xf32>) outs(%alloc_388 : memref<8x32x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %in_851: f32, %out: f32):
      %3 = arith.addf %in, %in_849 : f32
      %4 = arith.addf %3, %in_850 : f32
      %5 = arith.addf %4, %in_851 : f32
      linalg.yield %5 : f32
    }
    %collapse_shape_389 = memref.collapse_shape %alloc_388 [[0, 1], [2]] : memref<8x32x64xf32> into memref<256x64xf32>
    %alloc_390 = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_390 : memref<64xf32>)
    linalg.generic {indexing_maps = [#map12, #map13], iterator_types = ["parallel", "reduction"]} ins(%collapse_shape_389 : memref<256x64xf32>) outs(%alloc_390 : memref<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %expand_shape_391 = memref.expand_shape %alloc_390 [[0, 1]] output_shape [1, 64] : memref<64xf32> into memref<1x64xf32>
    %alloc_392 = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_392 : memref<64xf32>)
    linalg.generic {indexing_maps = [#map12, #map13], iterator_types = ["parallel", "reduction"]} ins(%expand_shape_391 : memref<1x64xf32>) outs(%alloc_392 : memref<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %alloc_393 = memref.alloc() {alignment = 64 : i64} : memref<64x256xf32>
    linalg.generic {indexing_maps = [#map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%collapse_shape_389 : memref<256x64xf32>) outs(%alloc_393 : memref<64x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %alloc_394 = memref.alloc() {alignment = 64 : i64} : memref<64x64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_394 : memref<64x64xf32>)
    linalg.matmul ins(%alloc_393, %collapse_shape_267 : memref<64x256xf32>, memref<256x64xf32>) outs(%alloc_394 : memref<64x64xf32>)
    %alloc_395 = memref.alloc() {alignment = 64 : i64} : memref<64x64xf32>
    linalg.generic {indexing_maps = [#map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg57 : memref<64x64xf32>) outs(%alloc_395 : memref<64x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %alloc_396 = memref.alloc() {alignment = 64 : i64} : memref<256x64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_396 : memref<256x64xf32>)
    linalg.matmul ins(%collapse_shape_389, %alloc_395 : memref<256x64xf32>, memref<64x64xf32>) outs(%alloc_396 : memref<256x64xf32>)
    %expand_shape_397 = memref.expand_shape %alloc_396 [[0, 1], [2, 3]] output_shape [8, 32, 8, 8] : memref<256x64xf32> into memref<8x32x8x8xf32>
    %alloc_398 = memref.alloc() {alignment = 64 : i64} : memref<8x8x32x8xf32>
    linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expand_shape_397 : memref<8x32x8x8xf32>) outs(%alloc_398 : memref<8x8x32x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %collapse_shape_399 = memref.collapse_shape %alloc_398 [[0, 1], [2], [3]] : memref<8x8x32x8xf32> into memref<64x32x8xf32>
    %alloc_400 = memref.alloc() {alignment = 64 : i64} : memref<64x8x32xf32>
    linalg.generic {indexing_maps = [#map19, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapse_shape_399 : memref<64x32x8xf32>) outs(%alloc_400 : memref<64x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %alloc_401 = memref.alloc() {alignment = 64 : i64} : memref<64x8x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_401 : memref<64x8x32xf32>)
    linalg.batch_matmul ins(%alloc_400, %collapse_shape_262 : memref<64x8x32xf32>, memref<64x32x32xf32>) outs(%alloc_401 : memref<64x8x32xf32>)
    %alloc_402 = memref.alloc() {alignment = 64 : i64} : memref<64x32x8xf32>
    linalg.generic {indexing_maps = [#map19, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_401 : memref<64x8x32xf32>) outs(%alloc_402 : memref<64x32x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %alloc_403 = memref.alloc() {alignment = 64 : i64} : memref<64x8x32xf32>
    linalg.generic {indexing_maps = [#map19, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapse_shape_263 : memref<64x32x8xf32>) outs(%alloc_403 : memref<64x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %alloc_404 = memref.alloc() {alignment = 64 : i64} : memref<64x32x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_404 : memref<64x32x32xf32>)
    linalg.batch_matmul ins(%collapse_shape_399, %alloc_403 : memref<64x32x8xf32>, memref<64x8x32xf32>) outs(%alloc_404 : memref<64x32x32xf32>)
    %expand_shape_405 = memref.expand_shape %alloc_402 [[0, 1], [2], [3]] output_shape [8, 8, 32, 8] : memref<64x32x8xf32> into memref<8x8x32x8xf32>
    %expand_shape_406 = memref.expand_shape %alloc_404 [[0, 1], [2], [3]] output_shape [8, 8, 32, 32] : memref<64x32x32xf32> into memref<8x8x32x32xf32>
    %alloc_407 = memref.alloc() {alignment = 64 : i64} : memref<8x8x32x32xf32>
    linalg.generic {indexing_maps = [#map8, #map11, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expand_shape_406, %expand_shape_260 : memref<8x8x32x32xf32>, memref<8x8x32x1xf32>) outs(%alloc_407 : memref<8x8x32x32xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %in_849 : f32
      %4 = arith.divf %cst_8, %3 : f32
      %5 = arith.mulf %in, %4 : f32
      linalg.yield %5 : f32
    }
    %alloc_408 = memref.alloc() {alignment = 64 : i64} : memref<8x8x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_408 : memref<8x8x32xf32>)
    linalg.generic {indexing_maps = [#map8, #map8, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%alloc_407, %alloc_258 : memref<8x8x32x32xf32>, memref<8x8x32x32xf32>) outs(%alloc_408 : memref<8x8x32xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in, %in_849 : f32
      %4 = arith.addf %out, %3 : f32
      linalg.yield %4 : f32
    }
    %alloc_409 = memref.alloc() {alignment = 64 : i64} : memref<8x8x32xf32>
    linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_408 : memref<8x8x32xf32>) outs(%alloc_409 : memref<8x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.negf %in : f32
      linalg.yield %3 : f32
    }
    %expand_shape_410 = memref.expand_shape %alloc_409 [[0], [1], [2, 3]] output_shape [8, 8, 32, 1] : memref<8x8x32xf32> into memref<8x8x32x1xf32>
    %alloc_411 = memref.alloc() {alignment = 64 : i64} : memref<8x8x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_411 : memref<8x8x32xf32>)
    linalg.generic {indexing_maps = [#map8, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%expand_shape_410 : memref<8x8x32x1xf32>) outs(%alloc_411 : memref<8x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %alloc_412 = memref.alloc() {alignment = 64 : i64} : memref<8x8x32x32xf32>
    linalg.generic {indexing_maps = [#map8, #map10, #map10, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expand_shape_406, %alloc_259, %alloc_411, %alloc_258 : memref<8x8x32x32xf32>, memref<8x8x32xf32>, memref<8x8x32xf32>, memref<8x8x32x32xf32>) outs(%alloc_412 : memref<8x8x32x32xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %in_851: f32, %out: f32):
      %3 = arith.divf %in, %in_849 : f32
      %4 = arith.addf %3, %in_850 : f32
      %5 = arith.mulf %4, %in_851 : f32
      linalg.yield %5 : f32
    }
    %alloc_413 = memref.alloc() {alignment = 64 : i64} : memref<8x8x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_413 : memref<8x8x32xf32>)
    linalg.generic {indexing_maps = [#map8, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%alloc_412 : memref<8x8x32x32xf32>) outs(%alloc_413 : memref<8x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.subf %out, %in : f32
      linalg.yield %3 : f32
    }
    %expand_shape_414 = memref.expand_shape %alloc_413 [[0], [1], [2, 3]] output_shape [8, 8, 32, 1] : memref<8x8x32xf32> into memref<8x8x32x1xf32>
    %alloc_415 = memref.alloc() {alignment = 64 : i64} : memref<8x8x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_415 : memref<8x8x32xf32>)
    linalg.generic {indexing_maps = [#map8, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%expand_shape_414 : memref<8x8x32x1xf32>) outs(%alloc_415 : memref<8x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %alloc_416 = memref.alloc() {alignment = 64 : i64} : memref<8x8x32x32xf32>
    linalg.generic {indexing_maps = [#map8, #map8, #map10, #map10, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_412, %alloc_256, %alloc_415, %alloc_257 : memref<8x8x32x32xf32>, memref<8x8x32x32xf32>, memref<8x8x32xf32>, memref<8x8x32xf32>) outs(%alloc_416 : memref<8x8x32x32xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %in_851: f32, %out: f32):
      %3 = arith.divf %in_850, %in_851 : f32
      %4 = arith.cmpf une, %in_849, %cst_0 : f32
      %5 = arith.select %4, %3, %cst_0 : f32
      %6 = arith.addf %in, %5 : f32
      %7 = arith.divf %6, %cst_6 : f32
      linalg.yield %7 : f32
    }
    %collapse_shape_417 = memref.collapse_shape %alloc_416 [[0, 1], [2], [3]] : memref<8x8x32x32xf32> into memref<64x32x32xf32>
    %alloc_418 = memref.alloc() {alignment = 64 : i64} : memref<64x32x32xf32>
    linalg.generic {indexing_maps = [#map19, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapse_shape_417 : memref<64x32x32xf32>) outs(%alloc_418 : memref<64x32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %alloc_419 = memref.alloc() {alignment = 64 : i64} : memref<64x32x8xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_419 : memref<64x32x8xf32>)
    linalg.batch_matmul ins(%alloc_418, %collapse_shape_249 : memref<64x32x32xf32>, memref<64x32x8xf32>) outs(%alloc_419 : memref<64x32x8xf32>)
    %alloc_420 = memref.alloc() {alignment = 64 : i64} : memref<64x8x32xf32>
    linalg.generic {indexing_maps = [#map19, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_419 : memref<64x32x8xf32>) outs(%alloc_420 : memref<64x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %alloc_421 = memref.alloc() {alignment = 64 : i64} : memref<64x32x8xf32>
    linalg.generic {indexing_maps = [#map19, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapse_shape_250 : memref<64x8x32xf32>) outs(%alloc_421 : memref<64x32x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %alloc_422 = memref.alloc() {alignment = 64 : i64} : memref<64x32x8xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_422 : memref<64x32x8xf32>)
    linalg.batch_matmul ins(%collapse_shape_417, %alloc_421 : memref<64x32x32xf32>, memref<64x32x8xf32>) outs(%alloc_422 : memref<64x32x8xf32>)
    %expand_shape_423 = memref.expand_shape %alloc_420 [[0, 1], [2], [3]] output_shape [8, 8, 8, 32] : memref<64x8x32xf32> into memref<8x8x8x32xf32>
    %expand_shape_424 = memref.expand_shape %alloc_422 [[0, 1], [2], [3]] output_shape [8, 8, 32, 8] : memref<64x32x8xf32> into memref<8x8x32x8xf32>
    %alloc_425 = memref.alloc() {alignment = 64 : i64} : memref<8x32x8x8xf32>
    linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expand_shape_405 : memref<8x8x32x8xf32>) outs(%alloc_425 : memref<8x32x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %collapse_shape_426 = memref.collapse_shape %alloc_425 [[0, 1], [2, 3]] : memref<8x32x8x8xf32> into memref<256x64xf32>
    %alloc_427 = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_427 : memref<64xf32>)
    linalg.generic {indexing_maps = [#map12, #map13], iterator_types = ["parallel", "reduction"]} ins(%collapse_shape_426 : memref<256x64xf32>) outs(%alloc_427 : memref<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %expand_shape_428 = memref.expand_shape %alloc_427 [[0, 1]] output_shape [1, 64] : memref<64xf32> into memref<1x64xf32>
    %alloc_429 = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_429 : memref<64xf32>)
    linalg.generic {indexing_maps = [#map12, #map13], iterator_types = ["parallel", "reduction"]} ins(%expand_shape_428 : memref<1x64xf32>) outs(%alloc_429 : memref<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %alloc_430 = memref.alloc() {alignment = 64 : i64} : memref<64x256xf32>
    linalg.generic {indexing_maps = [#map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%collapse_shape_426 : memref<256x64xf32>) outs(%alloc_430 : memref<64x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %alloc_431 = memref.alloc() {alignment = 64 : i64} : memref<64x64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_431 : memref<64x64xf32>)
    linalg.matmul ins(%alloc_430, %collapse_shape_236 : memref<64x256xf32>, memref<256x64xf32>) outs(%alloc_431 : memref<64x64xf32>)
    %alloc_432 = memref.alloc() {alignment = 64 : i64} : memref<64x64xf32>
    linalg.generic {indexing_maps = [#map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg63 : memref<64x64xf32>) outs(%alloc_432 : memref<64x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %alloc_433 = memref.alloc() {alignment = 64 : i64} : memref<256x64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_433 : memref<256x64xf32>)
    linalg.matmul ins(%collapse_shape_426, %alloc_432 : memref<256x64xf32>, memref<64x64xf32>) outs(%alloc_433 : memref<256x64xf32>)
    %expand_shape_434 = memref.expand_shape %alloc_433 [[0, 1], [2]] output_shape [8, 32, 64] : memref<256x64xf32> into memref<8x32x64xf32>
    %alloc_435 = memref.alloc() {alignment = 64 : i64} : memref<8x32x8x8xf32>
    linalg.generic {indexing_maps = [#map20, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expand_shape_423 : memref<8x8x8x32xf32>) outs(%alloc_435 : memref<8x32x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %collapse_shape_436 = memref.collapse_shape %alloc_435 [[0, 1], [2, 3]] : memref<8x32x8x8xf32> into memref<256x64xf32>
    %alloc_437 = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_437 : memref<64xf32>)
    linalg.generic {indexing_maps = [#map12, #map13], iterator_types = ["parallel", "reduction"]} ins(%collapse_shape_436 : memref<256x64xf32>) outs(%alloc_437 : memref<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %expand_shape_438 = memref.expand_shape %alloc_437 [[0, 1]] output_shape [1, 64] : memref<64xf32> into memref<1x64xf32>
    %alloc_439 = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_439 : memref<64xf32>)
    linalg.generic {indexing_maps = [#map12, #map13], iterator_types = ["parallel", "reduction"]} ins(%expand_shape_438 : memref<1x64xf32>) outs(%alloc_439 : memref<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %alloc_440 = memref.alloc() {alignment = 64 : i64} : memref<64x256xf32>
    linalg.generic {indexing_maps = [#map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%collapse_shape_436 : memref<256x64xf32>) outs(%alloc_440 : memref<64x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %alloc_441 = memref.alloc() {alignment = 64 : i64} : memref<64x64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_441 : memref<64x64xf32>)
    linalg.matmul ins(%alloc_440, %collapse_shape_236 : memref<64x256xf32>, memref<256x64xf32>) outs(%alloc_441 : memref<64x64xf32>)
    %alloc_442 = memref.alloc() {alignment = 64 : i64} : memref<64x64xf32>
    linalg.generic {indexing_maps = [#map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg51 : memref<64x64xf32>) outs(%alloc_442 : memref<64x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %alloc_443 = memref.alloc() {alignment = 64 : i64} : memref<256x64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_443 : memref<256x64xf32>)
    linalg.matmul ins(%collapse_shape_436, %alloc_442 : memref<256x64xf32>, memref<64x64xf32>) outs(%alloc_443 : memref<256x64xf32>)
    %expand_shape_444 = memref.expand_shape %alloc_443 [[0, 1], [2]] output_shape [8, 32, 64] : memref<256x64xf32> into memref<8x32x64xf32>
    %alloc_445 = memref.alloc() {alignment = 64 : i64} : memref<8x32x8x8xf32>
    linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expand_shape_424 : memref<8x8x32x8xf32>) outs(%alloc_445 : memref<8x32x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %collapse_shape_446 = memref.collapse_shape %alloc_445 [[0, 1], [2, 3]] : memref<8x32x8x8xf32> into memref<256x64xf32>
    %alloc_447 = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_447 : memref<64xf32>)
    linalg.generic {indexing_maps = [#map12, #map13], iterator_types = ["parallel", "reduction"]} ins(%collapse_shape_446 : memref<256x64xf32>) outs(%alloc_447 : memref<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %expand_shape_448 = memref.expand_shape %alloc_447 [[0, 1]] output_shape [1, 64] : memref<64xf32> into memref<1x64xf32>
    %alloc_449 = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_449 : memref<64xf32>)
    linalg.generic {indexing_maps = [#map12, #map13], iterator_types = ["parallel", "reduction"]} ins(%expand_shape_448 : memref<1x64xf32>) outs(%alloc_449 : memref<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %alloc_450 = memref.alloc() {alignment = 64 : i64} : memref<64x256xf32>
    linalg.generic {indexing_maps = [#map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%collapse_shape_446 : memref<256x64xf32>) outs(%alloc_450 : memref<64x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %alloc_451 = memref.alloc() {alignment = 64 : i64} : memref<64x64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_451 : memref<64x64xf32>)
    linalg.matmul ins(%alloc_450, %collapse_shape_236 : memref<64x256xf32>, memref<256x64xf32>) outs(%alloc_451 : memref<64x64xf32>)
    %alloc_452 = memref.alloc() {alignment = 64 : i64} : memref<64x64xf32>
    linalg.generic {indexing_maps = [#map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg59 : memref<64x64xf32>) outs(%alloc_452 : memref<64x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %alloc_453 = memref.alloc() {alignment = 64 : i64} : memref<256x64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_453 : memref<256x64xf32>)
    linalg.matmul ins(%collapse_shape_446, %alloc_452 : memref<256x64xf32>, memref<64x64xf32>) outs(%alloc_453 : memref<256x64xf32>)
    %expand_shape_454 = memref.expand_shape %alloc_453 [[0, 1], [2]] output_shape [8, 32, 64] : memref<256x64xf32> into memref<8x32x64xf32>
    %alloc_455 = memref.alloc() {alignment = 64 : i64} : memref<8x32x64xf32>
    linalg.generic {indexing_maps = [#map1, #map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expand_shape_434, %expand_shape_444, %expand_shape_454 : memref<8x32x64xf32>, memref<8x32x64xf32>, memref<8x32x64xf32>) outs(%alloc_455 : memref<8x32x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %out: f32):
      %3 = arith.addf %in, %in_849 : f32
      %4 = arith.addf %3, %in_850 : f32
      linalg.yield %4 : f32
    }
    %alloc_456 = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_456 : memref<64xf32>)
    linalg.generic {indexing_maps = [#map17, #map18], iterator_types = ["parallel", "reduction", "reduction"]} ins(%alloc_455 : memref<8x32x64xf32>) outs(%alloc_456 : memref<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %expand_shape_457 = memref.expand_shape %alloc_456 [[0, 1, 2]] output_shape [1, 1, 64] : memref<64xf32> into memref<1x1x64xf32>
    %alloc_458 = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_458 : memref<64xf32>)
    linalg.generic {indexing_maps = [#map17, #map18], iterator_types = ["parallel", "reduction", "reduction"]} ins(%expand_shape_457 : memref<1x1x64xf32>) outs(%alloc_458 : memref<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %alloc_459 = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_459 : memref<64xf32>)
    linalg.generic {indexing_maps = [#map17, #map17, #map18], iterator_types = ["parallel", "reduction", "reduction"]} ins(%alloc_234, %alloc_455 : memref<8x32x64xf32>, memref<8x32x64xf32>) outs(%alloc_459 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in, %in_849 : f32
      %4 = arith.addf %out, %3 : f32
      linalg.yield %4 : f32
    }
    %expand_shape_460 = memref.expand_shape %alloc_459 [[0, 1, 2]] output_shape [1, 1, 64] : memref<64xf32> into memref<1x1x64xf32>
    %alloc_461 = memref.alloc() {alignment = 64 : i64} : memref<8x32x64xf32>
    linalg.generic {indexing_maps = [#map1, #map4, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_455, %arg53 : memref<8x32x64xf32>, memref<64xf32>) outs(%alloc_461 : memref<8x32x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in, %in_849 : f32
      linalg.yield %3 : f32
    }
    %alloc_462 = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_462 : memref<64xf32>)
    linalg.generic {indexing_maps = [#map17, #map18], iterator_types = ["parallel", "reduction", "reduction"]} ins(%expand_shape_460 : memref<1x1x64xf32>) outs(%alloc_462 : memref<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %alloc_463 = memref.alloc() {alignment = 64 : i64} : memref<8x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_463 : memref<8x32xf32>)
    linalg.generic {indexing_maps = [#map1, #map1, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%alloc_229, %alloc_461 : memref<8x32x64xf32>, memref<8x32x64xf32>) outs(%alloc_463 : memref<8x32xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in, %in_849 : f32
      %4 = arith.addf %out, %3 : f32
      linalg.yield %4 : f32
    }
    %expand_shape_464 = memref.expand_shape %alloc_463 [[0], [1, 2]] output_shape [8, 32, 1] : memref<8x32xf32> into memref<8x32x1xf32>
    %alloc_465 = memref.alloc() {alignment = 64 : i64} : memref<8x32x64xf32>
    linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_461, %alloc_233 : memref<8x32x64xf32>, memref<8x32x1xf32>) outs(%alloc_465 : memref<8x32x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in, %in_849 : f32
      linalg.yield %3 : f32
    }
    %alloc_466 = memref.alloc() {alignment = 64 : i64} : memref<8x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_466 : memref<8x32xf32>)
    linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%alloc_465 : memref<8x32x64xf32>) outs(%alloc_466 : memref<8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.subf %out, %in : f32
      linalg.yield %3 : f32
    }
    %expand_shape_467 = memref.expand_shape %alloc_466 [[0], [1, 2]] output_shape [8, 32, 1] : memref<8x32xf32> into memref<8x32x1xf32>
    %alloc_468 = memref.alloc() {alignment = 64 : i64} : memref<8x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_468 : memref<8x32xf32>)
    linalg.generic {indexing_maps = [#map1, #map1, #map1, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%expand_shape_464, %alloc_233, %alloc_232 : memref<8x32x1xf32>, memref<8x32x1xf32>, memref<8x32x1xf32>) outs(%alloc_468 : memref<8x32xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %out: f32):
      %3 = arith.divf %in_849, %in_850 : f32
      %4 = arith.mulf %3, %cst_5 : f32
      %5 = arith.mulf %in, %4 : f32
      %6 = arith.divf %5, %cst_2 : f32
      %7 = arith.addf %out, %6 : f32
      linalg.yield %7 : f32
    }
    %alloc_469 = memref.alloc() {alignment = 64 : i64} : memref<8x32x64xf32>
    linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_468, %alloc_229 : memref<8x32xf32>, memref<8x32x64xf32>) outs(%alloc_469 : memref<8x32x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_3 : f32
      %4 = arith.mulf %in, %3 : f32
      linalg.yield %4 : f32
    }
    %alloc_470 = memref.alloc() {alignment = 64 : i64} : memref<8x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_470 : memref<8x32xf32>)
    linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%alloc_469 : memref<8x32x64xf32>) outs(%alloc_470 : memref<8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.subf %out, %in : f32
      linalg.yield %3 : f32
    }
    %expand_shape_471 = memref.expand_shape %alloc_470 [[0], [1, 2]] output_shape [8, 32, 1] : memref<8x32xf32> into memref<8x32x1xf32>
    %alloc_472 = memref.alloc() {alignment = 64 : i64} : memref<8x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_472 : memref<8x32xf32>)
    linalg.generic {indexing_maps = [#map1, #map1, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%expand_shape_467, %expand_shape_471 : memref<8x32x1xf32>, memref<8x32x1xf32>) outs(%alloc_472 : memref<8x32xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.addf %in, %in_849 : f32
      %4 = arith.divf %3, %cst_2 : f32
      %5 = arith.addf %out, %4 : f32
      linalg.yield %5 : f32
    }
    %alloc_473 = memref.alloc() {alignment = 64 : i64} : memref<8x32x64xf32>
    linalg.generic {indexing_maps = [#map1, #map1, #map1, #map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_388, %alloc_465, %alloc_469, %alloc_472 : memref<8x32x64xf32>, memref<8x32x64xf32>, memref<8x32x64xf32>, memref<8x32xf32>) outs(%alloc_473 : memref<8x32x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %in_851: f32, %out: f32):
      %3 = arith.addf %in, %in_849 : f32
      %4 = arith.addf %3, %in_850 : f32
      %5 = arith.addf %4, %in_851 : f32
      linalg.yield %5 : f32
    }
    %collapse_shape_474 = memref.collapse_shape %alloc_473 [[0, 1], [2]] : memref<8x32x64xf32> into memref<256x64xf32>
    %alloc_475 = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_475 : memref<64xf32>)
    linalg.generic {indexing_maps = [#map12, #map13], iterator_types = ["parallel", "reduction"]} ins(%collapse_shape_474 : memref<256x64xf32>) outs(%alloc_475 : memref<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %expand_shape_476 = memref.expand_shape %alloc_475 [[0, 1]] output_shape [1, 64] : memref<64xf32> into memref<1x64xf32>
    %alloc_477 = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_477 : memref<64xf32>)
    linalg.generic {indexing_maps = [#map12, #map13], iterator_types = ["parallel", "reduction"]} ins(%expand_shape_476 : memref<1x64xf32>) outs(%alloc_477 : memref<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %alloc_478 = memref.alloc() {alignment = 64 : i64} : memref<64x256xf32>
    linalg.generic {indexing_maps = [#map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%collapse_shape_474 : memref<256x64xf32>) outs(%alloc_478 : memref<64x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %alloc_479 = memref.alloc() {alignment = 64 : i64} : memref<64x256xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_479 : memref<64x256xf32>)
    linalg.matmul ins(%alloc_478, %collapse_shape_222 : memref<64x256xf32>, memref<256x256xf32>) outs(%alloc_479 : memref<64x256xf32>)
    %alloc_480 = memref.alloc() {alignment = 64 : i64} : memref<64x256xf32>
    linalg.generic {indexing_maps = [#map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg33 : memref<256x64xf32>) outs(%alloc_480 : memref<64x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %alloc_481 = memref.alloc() {alignment = 64 : i64} : memref<256x256xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_481 : memref<256x256xf32>)
    linalg.matmul ins(%collapse_shape_474, %alloc_480 : memref<256x64xf32>, memref<64x256xf32>) outs(%alloc_481 : memref<256x256xf32>)
    %expand_shape_482 = memref.expand_shape %alloc_481 [[0, 1], [2]] output_shape [8, 32, 256] : memref<256x256xf32> into memref<8x32x256xf32>
    %alloc_483 = memref.alloc() {alignment = 64 : i64} : memref<8x32x256xf32>
    linalg.generic {indexing_maps = [#map1, #map1, #map1, #map1, #map1, #map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_216, %expand_shape_482, %alloc_219, %alloc_218, %alloc_217, %expand_shape_215, %alloc_220 : memref<8x32x256xf32>, memref<8x32x256xf32>, memref<8x32x256xf32>, memref<8x32x256xf32>, memref<8x32x256xf32>, memref<8x32x256xf32>, memref<8x32x256xf32>) outs(%alloc_483 : memref<8x32x256xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %in_851: f32, %in_852: f32, %in_853: f32, %in_854: f32, %out: f32):
      %3 = arith.subf %cst_8, %in_850 : f32
      %4 = arith.mulf %in, %in_849 : f32
      %5 = arith.mulf %4, %3 : f32
      %6 = arith.mulf %5, %in_850 : f32
      %7 = arith.addf %5, %6 : f32
      %8 = arith.mulf %7, %cst_11 : f32
      %9 = arith.mulf %8, %in_853 : f32
      %10 = arith.mulf %in_852, %9 : f32
      %11 = arith.mulf %in_851, %8 : f32
      %12 = arith.addf %8, %11 : f32
      %13 = arith.mulf %in_849, %in_854 : f32
      %14 = arith.mulf %9, %in_853 : f32
      %15 = arith.mulf %14, %cst_10 : f32
      %16 = arith.addf %12, %10 : f32
      %17 = arith.mulf %13, %cst_9 : f32
      %18 = arith.addf %16, %15 : f32
      %19 = arith.addf %18, %17 : f32
      linalg.yield %19 : f32
    }
    %collapse_shape_484 = memref.collapse_shape %alloc_483 [[0, 1], [2]] : memref<8x32x256xf32> into memref<256x256xf32>
    %alloc_485 = memref.alloc() {alignment = 64 : i64} : memref<256xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_485 : memref<256xf32>)
    linalg.generic {indexing_maps = [#map12, #map13], iterator_types = ["parallel", "reduction"]} ins(%collapse_shape_484 : memref<256x256xf32>) outs(%alloc_485 : memref<256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %expand_shape_486 = memref.expand_shape %alloc_485 [[0, 1]] output_shape [1, 256] : memref<256xf32> into memref<1x256xf32>
    %alloc_487 = memref.alloc() {alignment = 64 : i64} : memref<256xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_487 : memref<256xf32>)
    linalg.generic {indexing_maps = [#map12, #map13], iterator_types = ["parallel", "reduction"]} ins(%expand_shape_486 : memref<1x256xf32>) outs(%alloc_487 : memref<256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %alloc_488 = memref.alloc() {alignment = 64 : i64} : memref<256x256xf32>
    linalg.generic {indexing_maps = [#map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%collapse_shape_484 : memref<256x256xf32>) outs(%alloc_488 : memref<256x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %alloc_489 = memref.alloc() {alignment = 64 : i64} : memref<256x64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_489 : memref<256x64xf32>)
    linalg.matmul ins(%alloc_488, %collapse_shape_212 : memref<256x256xf32>, memref<256x64xf32>) outs(%alloc_489 : memref<256x64xf32>)
    %alloc_490 = memref.alloc() {alignment = 64 : i64} : memref<256x64xf32>
    linalg.generic {indexing_maps = [#map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg45 : memref<64x256xf32>) outs(%alloc_490 : memref<256x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %alloc_491 = memref.alloc() {alignment = 64 : i64} : memref<256x64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_491 : memref<256x64xf32>)
    linalg.matmul ins(%collapse_shape_484, %alloc_490 : memref<256x256xf32>, memref<256x64xf32>) outs(%alloc_491 : memref<256x64xf32>)
    %expand_shape_492 = memref.expand_shape %alloc_491 [[0, 1], [2]] output_shape [8, 32, 64] : memref<256x64xf32> into memref<8x32x64xf32>
    %alloc_493 = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_493 : memref<64xf32>)
    linalg.generic {indexing_maps = [#map17, #map18], iterator_types = ["parallel", "reduction", "reduction"]} ins(%expand_shape_492 : memref<8x32x64xf32>) outs(%alloc_493 : memref<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %expand_shape_494 = memref.expand_shape %alloc_493 [[0, 1, 2]] output_shape [1, 1, 64] : memref<64xf32> into memref<1x1x64xf32>
    %alloc_495 = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_495 : memref<64xf32>)
    linalg.generic {indexing_maps = [#map17, #map18], iterator_types = ["parallel", "reduction", "reduction"]} ins(%expand_shape_494 : memref<1x1x64xf32>) outs(%alloc_495 : memref<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %alloc_496 = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_496 : memref<64xf32>)
    linalg.generic {indexing_maps = [#map17, #map17, #map18], iterator_types = ["parallel", "reduction", "reduction"]} ins(%alloc_210, %expand_shape_492 : memref<8x32x64xf32>, memref<8x32x64xf32>) outs(%alloc_496 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in, %in_849 : f32
      %4 = arith.addf %out, %3 : f32
      linalg.yield %4 : f32
    }
    %expand_shape_497 = memref.expand_shape %alloc_496 [[0, 1, 2]] output_shape [1, 1, 64] : memref<64xf32> into memref<1x1x64xf32>
    %alloc_498 = memref.alloc() {alignment = 64 : i64} : memref<8x32x64xf32>
    linalg.generic {indexing_maps = [#map1, #map4, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expand_shape_492, %arg39 : memref<8x32x64xf32>, memref<64xf32>) outs(%alloc_498 : memref<8x32x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in, %in_849 : f32
      linalg.yield %3 : f32
    }
    %alloc_499 = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_499 : memref<64xf32>)
    linalg.generic {indexing_maps = [#map17, #map18], iterator_types = ["parallel", "reduction", "reduction"]} ins(%expand_shape_497 : memref<1x1x64xf32>) outs(%alloc_499 : memref<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %alloc_500 = memref.alloc() {alignment = 64 : i64} : memref<8x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_500 : memref<8x32xf32>)
    linalg.generic {indexing_maps = [#map1, #map1, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%alloc_205, %alloc_498 : memref<8x32x64xf32>, memref<8x32x64xf32>) outs(%alloc_500 : memref<8x32xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in, %in_849 : f32
      %4 = arith.addf %out, %3 : f32
      linalg.yield %4 : f32
    }
    %expand_shape_501 = memref.expand_shape %alloc_500 [[0], [1, 2]] output_shape [8, 32, 1] : memref<8x32xf32> into memref<8x32x1xf32>
    %alloc_502 = memref.alloc() {alignment = 64 : i64} : memref<8x32x64xf32>
    linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_498, %alloc_209 : memref<8x32x64xf32>, memref<8x32x1xf32>) outs(%alloc_502 : memref<8x32x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in, %in_849 : f32
      linalg.yield %3 : f32
    }
    %alloc_503 = memref.alloc() {alignment = 64 : i64} : memref<8x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_503 : memref<8x32xf32>)
    linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%alloc_502 : memref<8x32x64xf32>) outs(%alloc_503 : memref<8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.subf %out, %in : f32
      linalg.yield %3 : f32
    }
    %expand_shape_504 = memref.expand_shape %alloc_503 [[0], [1, 2]] output_shape [8, 32, 1] : memref<8x32xf32> into memref<8x32x1xf32>
    %alloc_505 = memref.alloc() {alignment = 64 : i64} : memref<8x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_505 : memref<8x32xf32>)
    linalg.generic {indexing_maps = [#map1, #map1, #map1, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%expand_shape_501, %alloc_209, %alloc_208 : memref<8x32x1xf32>, memref<8x32x1xf32>, memref<8x32x1xf32>) outs(%alloc_505 : memref<8x32xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %out: f32):
      %3 = arith.divf %in_849, %in_850 : f32
      %4 = arith.mulf %3, %cst_5 : f32
      %5 = arith.mulf %in, %4 : f32
      %6 = arith.divf %5, %cst_2 : f32
      %7 = arith.addf %out, %6 : f32
      linalg.yield %7 : f32
    }
    %alloc_506 = memref.alloc() {alignment = 64 : i64} : memref<8x32x64xf32>
    linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_505, %alloc_205 : memref<8x32xf32>, memref<8x32x64xf32>) outs(%alloc_506 : memref<8x32x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_3 : f32
      %4 = arith.mulf %in, %3 : f32
      linalg.yield %4 : f32
    }
    %alloc_507 = memref.alloc() {alignment = 64 : i64} : memref<8x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_507 : memref<8x32xf32>)
    linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%alloc_506 : memref<8x32x64xf32>) outs(%alloc_507 : memref<8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.subf %out, %in : f32
      linalg.yield %3 : f32
    }
    %expand_shape_508 = memref.expand_shape %alloc_507 [[0], [1, 2]] output_shape [8, 32, 1] : memref<8x32xf32> into memref<8x32x1xf32>
    %alloc_509 = memref.alloc() {alignment = 64 : i64} : memref<8x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_509 : memref<8x32xf32>)
    linalg.generic {indexing_maps = [#map1, #map1, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%expand_shape_504, %expand_shape_508 : memref<8x32x1xf32>, memref<8x32x1xf32>) outs(%alloc_509 : memref<8x32xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.addf %in, %in_849 : f32
      %4 = arith.divf %3, %cst_2 : f32
      %5 = arith.addf %out, %4 : f32
      linalg.yield %5 : f32
    }
    %alloc_510 = memref.alloc() {alignment = 64 : i64} : memref<8x32x64xf32>
    linalg.generic {indexing_maps = [#map1, #map1, #map1, #map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_473, %alloc_502, %alloc_506, %alloc_509 : memref<8x32x64xf32>, memref<8x32x64xf32>, memref<8x32x64xf32>, memref<8x32xf32>) outs(%alloc_510 : memref<8x32x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %in_851: f32, %out: f32):
      %3 = arith.addf %in, %in_849 : f32
      %4 = arith.addf %3, %in_850 : f32
      %5 = arith.addf %4, %in_851 : f32
      linalg.yield %5 : f32
    }
    %collapse_shape_511 = memref.collapse_shape %alloc_510 [[0, 1], [2]] : memref<8x32x64xf32> into memref<256x64xf32>
    %alloc_512 = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_512 : memref<64xf32>)
    linalg.generic {indexing_maps = [#map12, #map13], iterator_types = ["parallel", "reduction"]} ins(%collapse_shape_511 : memref<256x64xf32>) outs(%alloc_512 : memref<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %expand_shape_513 = memref.expand_shape %alloc_512 [[0, 1]] output_shape [1, 64] : memref<64xf32> into memref<1x64xf32>
    %alloc_514 = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_514 : memref<64xf32>)
    linalg.generic {indexing_maps = [#map12, #map13], iterator_types = ["parallel", "reduction"]} ins(%expand_shape_513 : memref<1x64xf32>) outs(%alloc_514 : memref<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %alloc_515 = memref.alloc() {alignment = 64 : i64} : memref<64x256xf32>
    linalg.generic {indexing_maps = [#map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%collapse_shape_511 : memref<256x64xf32>) outs(%alloc_515 : memref<64x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %alloc_516 = memref.alloc() {alignment = 64 : i64} : memref<64x64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_516 : memref<64x64xf32>)
    linalg.matmul ins(%alloc_515, %collapse_shape_198 : memref<64x256xf32>, memref<256x64xf32>) outs(%alloc_516 : memref<64x64xf32>)
    %alloc_517 = memref.alloc() {alignment = 64 : i64} : memref<64x64xf32>
    linalg.generic {indexing_maps = [#map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg41 : memref<64x64xf32>) outs(%alloc_517 : memref<64x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %alloc_518 = memref.alloc() {alignment = 64 : i64} : memref<256x64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_518 : memref<256x64xf32>)
    linalg.matmul ins(%collapse_shape_511, %alloc_517 : memref<256x64xf32>, memref<64x64xf32>) outs(%alloc_518 : memref<256x64xf32>)
    %expand_shape_519 = memref.expand_shape %alloc_518 [[0, 1], [2, 3]] output_shape [8, 32, 8, 8] : memref<256x64xf32> into memref<8x32x8x8xf32>
    %alloc_520 = memref.alloc() {alignment = 64 : i64} : memref<8x8x32x8xf32>
    linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expand_shape_519 : memref<8x32x8x8xf32>) outs(%alloc_520 : memref<8x8x32x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %collapse_shape_521 = memref.collapse_shape %alloc_520 [[0, 1], [2], [3]] : memref<8x8x32x8xf32> into memref<64x32x8xf32>
    %alloc_522 = memref.alloc() {alignment = 64 : i64} : memref<64x8x32xf32>
    linalg.generic {indexing_maps = [#map19, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapse_shape_521 : memref<64x32x8xf32>) outs(%alloc_522 : memref<64x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %alloc_523 = memref.alloc() {alignment = 64 : i64} : memref<64x8x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_523 : memref<64x8x32xf32>)
    linalg.batch_matmul ins(%alloc_522, %collapse_shape_193 : memref<64x8x32xf32>, memref<64x32x32xf32>) outs(%alloc_523 : memref<64x8x32xf32>)
    %alloc_524 = memref.alloc() {alignment = 64 : i64} : memref<64x32x8xf32>
    linalg.generic {indexing_maps = [#map19, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_523 : memref<64x8x32xf32>) outs(%alloc_524 : memref<64x32x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %alloc_525 = memref.alloc() {alignment = 64 : i64} : memref<64x8x32xf32>
    linalg.generic {indexing_maps = [#map19, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapse_shape_194 : memref<64x32x8xf32>) outs(%alloc_525 : memref<64x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %alloc_526 = memref.alloc() {alignment = 64 : i64} : memref<64x32x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_526 : memref<64x32x32xf32>)
    linalg.batch_matmul ins(%collapse_shape_521, %alloc_525 : memref<64x32x8xf32>, memref<64x8x32xf32>) outs(%alloc_526 : memref<64x32x32xf32>)
    %expand_shape_527 = memref.expand_shape %alloc_524 [[0, 1], [2], [3]] output_shape [8, 8, 32, 8] : memref<64x32x8xf32> into memref<8x8x32x8xf32>
    %expand_shape_528 = memref.expand_shape %alloc_526 [[0, 1], [2], [3]] output_shape [8, 8, 32, 32] : memref<64x32x32xf32> into memref<8x8x32x32xf32>
    %alloc_529 = memref.alloc() {alignment = 64 : i64} : memref<8x8x32x32xf32>
    linalg.generic {indexing_maps = [#map8, #map11, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expand_shape_528, %expand_shape_191 : memref<8x8x32x32xf32>, memref<8x8x32x1xf32>) outs(%alloc_529 : memref<8x8x32x32xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %in_849 : f32
      %4 = arith.divf %cst_8, %3 : f32
      %5 = arith.mulf %in, %4 : f32
      linalg.yield %5 : f32
    }
    %alloc_530 = memref.alloc() {alignment = 64 : i64} : memref<8x8x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_530 : memref<8x8x32xf32>)
    linalg.generic {indexing_maps = [#map8, #map8, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%alloc_529, %alloc_189 : memref<8x8x32x32xf32>, memref<8x8x32x32xf32>) outs(%alloc_530 : memref<8x8x32xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in, %in_849 : f32
      %4 = arith.addf %out, %3 : f32
      linalg.yield %4 : f32
    }
    %alloc_531 = memref.alloc() {alignment = 64 : i64} : memref<8x8x32xf32>
    linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_530 : memref<8x8x32xf32>) outs(%alloc_531 : memref<8x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.negf %in : f32
      linalg.yield %3 : f32
    }
    %expand_shape_532 = memref.expand_shape %alloc_531 [[0], [1], [2, 3]] output_shape [8, 8, 32, 1] : memref<8x8x32xf32> into memref<8x8x32x1xf32>
    %alloc_533 = memref.alloc() {alignment = 64 : i64} : memref<8x8x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_533 : memref<8x8x32xf32>)
    linalg.generic {indexing_maps = [#map8, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%expand_shape_532 : memref<8x8x32x1xf32>) outs(%alloc_533 : memref<8x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %alloc_534 = memref.alloc() {alignment = 64 : i64} : memref<8x8x32x32xf32>
    linalg.generic {indexing_maps = [#map8, #map10, #map10, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expand_shape_528, %alloc_190, %alloc_533, %alloc_189 : memref<8x8x32x32xf32>, memref<8x8x32xf32>, memref<8x8x32xf32>, memref<8x8x32x32xf32>) outs(%alloc_534 : memref<8x8x32x32xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %in_851: f32, %out: f32):
      %3 = arith.divf %in, %in_849 : f32
      %4 = arith.addf %3, %in_850 : f32
      %5 = arith.mulf %4, %in_851 : f32
      linalg.yield %5 : f32
    }
    %alloc_535 = memref.alloc() {alignment = 64 : i64} : memref<8x8x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_535 : memref<8x8x32xf32>)
    linalg.generic {indexing_maps = [#map8, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%alloc_534 : memref<8x8x32x32xf32>) outs(%alloc_535 : memref<8x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.subf %out, %in : f32
      linalg.yield %3 : f32
    }
    %expand_shape_536 = memref.expand_shape %alloc_535 [[0], [1], [2, 3]] output_shape [8, 8, 32, 1] : memref<8x8x32xf32> into memref<8x8x32x1xf32>
    %alloc_537 = memref.alloc() {alignment = 64 : i64} : memref<8x8x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_537 : memref<8x8x32xf32>)
    linalg.generic {indexing_maps = [#map8, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%expand_shape_536 : memref<8x8x32x1xf32>) outs(%alloc_537 : memref<8x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %alloc_538 = memref.alloc() {alignment = 64 : i64} : memref<8x8x32x32xf32>
    linalg.generic {indexing_maps = [#map8, #map8, #map10, #map10, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_534, %alloc_187, %alloc_537, %alloc_188 : memref<8x8x32x32xf32>, memref<8x8x32x32xf32>, memref<8x8x32xf32>, memref<8x8x32xf32>) outs(%alloc_538 : memref<8x8x32x32xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %in_851: f32, %out: f32):
      %3 = arith.divf %in_850, %in_851 : f32
      %4 = arith.cmpf une, %in_849, %cst_0 : f32
      %5 = arith.select %4, %3, %cst_0 : f32
      %6 = arith.addf %in, %5 : f32
      %7 = arith.divf %6, %cst_6 : f32
      linalg.yield %7 : f32
    }
    %collapse_shape_539 = memref.collapse_shape %alloc_538 [[0, 1], [2], [3]] : memref<8x8x32x32xf32> into memref<64x32x32xf32>
    %alloc_540 = memref.alloc() {alignment = 64 : i64} : memref<64x32x32xf32>
    linalg.generic {indexing_maps = [#map19, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapse_shape_539 : memref<64x32x32xf32>) outs(%alloc_540 : memref<64x32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %alloc_541 = memref.alloc() {alignment = 64 : i64} : memref<64x32x8xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_541 : memref<64x32x8xf32>)
    linalg.batch_matmul ins(%alloc_540, %collapse_shape_180 : memref<64x32x32xf32>, memref<64x32x8xf32>) outs(%alloc_541 : memref<64x32x8xf32>)
    %alloc_542 = memref.alloc() {alignment = 64 : i64} : memref<64x8x32xf32>
    linalg.generic {indexing_maps = [#map19, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_541 : memref<64x32x8xf32>) outs(%alloc_542 : memref<64x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %alloc_543 = memref.alloc() {alignment = 64 : i64} : memref<64x32x8xf32>
    linalg.generic {indexing_maps = [#map19, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapse_shape_181 : memref<64x8x32xf32>) outs(%alloc_543 : memref<64x32x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %alloc_544 = memref.alloc() {alignment = 64 : i64} : memref<64x32x8xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_544 : memref<64x32x8xf32>)
    linalg.batch_matmul ins(%collapse_shape_539, %alloc_543 : memref<64x32x32xf32>, memref<64x32x8xf32>) outs(%alloc_544 : memref<64x32x8xf32>)
    %expand_shape_545 = memref.expand_shape %alloc_542 [[0, 1], [2], [3]] output_shape [8, 8, 8, 32] : memref<64x8x32xf32> into memref<8x8x8x32xf32>
    %expand_shape_546 = memref.expand_shape %alloc_544 [[0, 1], [2], [3]] output_shape [8, 8, 32, 8] : memref<64x32x8xf32> into memref<8x8x32x8xf32>
    %alloc_547 = memref.alloc() {alignment = 64 : i64} : memref<8x32x8x8xf32>
    linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expand_shape_527 : memref<8x8x32x8xf32>) outs(%alloc_547 : memref<8x32x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %collapse_shape_548 = memref.collapse_shape %alloc_547 [[0, 1], [2, 3]] : memref<8x32x8x8xf32> into memref<256x64xf32>
    %alloc_549 = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_549 : memref<64xf32>)
    linalg.generic {indexing_maps = [#map12, #map13], iterator_types = ["parallel", "reduction"]} ins(%collapse_shape_548 : memref<256x64xf32>) outs(%alloc_549 : memref<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %expand_shape_550 = memref.expand_shape %alloc_549 [[0, 1]] output_shape [1, 64] : memref<64xf32> into memref<1x64xf32>
    %alloc_551 = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_551 : memref<64xf32>)
    linalg.generic {indexing_maps = [#map12, #map13], iterator_types = ["parallel", "reduction"]} ins(%expand_shape_550 : memref<1x64xf32>) outs(%alloc_551 : memref<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %alloc_552 = memref.alloc() {alignment = 64 : i64} : memref<64x256xf32>
    linalg.generic {indexing_maps = [#map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%collapse_shape_548 : memref<256x64xf32>) outs(%alloc_552 : memref<64x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %alloc_553 = memref.alloc() {alignment = 64 : i64} : memref<64x64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_553 : memref<64x64xf32>)
    linalg.matmul ins(%alloc_552, %collapse_shape_167 : memref<64x256xf32>, memref<256x64xf32>) outs(%alloc_553 : memref<64x64xf32>)
    %alloc_554 = memref.alloc() {alignment = 64 : i64} : memref<64x64xf32>
    linalg.generic {indexing_maps = [#map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg47 : memref<64x64xf32>) outs(%alloc_554 : memref<64x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %alloc_555 = memref.alloc() {alignment = 64 : i64} : memref<256x64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_555 : memref<256x64xf32>)
    linalg.matmul ins(%collapse_shape_548, %alloc_554 : memref<256x64xf32>, memref<64x64xf32>) outs(%alloc_555 : memref<256x64xf32>)
    %expand_shape_556 = memref.expand_shape %alloc_555 [[0, 1], [2]] output_shape [8, 32, 64] : memref<256x64xf32> into memref<8x32x64xf32>
    %alloc_557 = memref.alloc() {alignment = 64 : i64} : memref<8x32x8x8xf32>
    linalg.generic {indexing_maps = [#map20, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expand_shape_545 : memref<8x8x8x32xf32>) outs(%alloc_557 : memref<8x32x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %collapse_shape_558 = memref.collapse_shape %alloc_557 [[0, 1], [2, 3]] : memref<8x32x8x8xf32> into memref<256x64xf32>
    %alloc_559 = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_559 : memref<64xf32>)
    linalg.generic {indexing_maps = [#map12, #map13], iterator_types = ["parallel", "reduction"]} ins(%collapse_shape_558 : memref<256x64xf32>) outs(%alloc_559 : memref<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %expand_shape_560 = memref.expand_shape %alloc_559 [[0, 1]] output_shape [1, 64] : memref<64xf32> into memref<1x64xf32>
    %alloc_561 = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_561 : memref<64xf32>)
    linalg.generic {indexing_maps = [#map12, #map13], iterator_types = ["parallel", "reduction"]} ins(%expand_shape_560 : memref<1x64xf32>) outs(%alloc_561 : memref<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %alloc_562 = memref.alloc() {alignment = 64 : i64} : memref<64x256xf32>
    linalg.generic {indexing_maps = [#map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%collapse_shape_558 : memref<256x64xf32>) outs(%alloc_562 : memref<64x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %alloc_563 = memref.alloc() {alignment = 64 : i64} : memref<64x64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_563 : memref<64x64xf32>)
    linalg.matmul ins(%alloc_562, %collapse_shape_167 : memref<64x256xf32>, memref<256x64xf32>) outs(%alloc_563 : memref<64x64xf32>)
    %alloc_564 = memref.alloc() {alignment = 64 : i64} : memref<64x64xf32>
    linalg.generic {indexing_maps = [#map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg35 : memref<64x64xf32>) outs(%alloc_564 : memref<64x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %alloc_565 = memref.alloc() {alignment = 64 : i64} : memref<256x64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_565 : memref<256x64xf32>)
    linalg.matmul ins(%collapse_shape_558, %alloc_564 : memref<256x64xf32>, memref<64x64xf32>) outs(%alloc_565 : memref<256x64xf32>)
    %expand_shape_566 = memref.expand_shape %alloc_565 [[0, 1], [2]] output_shape [8, 32, 64] : memref<256x64xf32> into memref<8x32x64xf32>
    %alloc_567 = memref.alloc() {alignment = 64 : i64} : memref<8x32x8x8xf32>
    linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expand_shape_546 : memref<8x8x32x8xf32>) outs(%alloc_567 : memref<8x32x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %collapse_shape_568 = memref.collapse_shape %alloc_567 [[0, 1], [2, 3]] : memref<8x32x8x8xf32> into memref<256x64xf32>
    %alloc_569 = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_569 : memref<64xf32>)
    linalg.generic {indexing_maps = [#map12, #map13], iterator_types = ["parallel", "reduction"]} ins(%collapse_shape_568 : memref<256x64xf32>) outs(%alloc_569 : memref<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %expand_shape_570 = memref.expand_shape %alloc_569 [[0, 1]] output_shape [1, 64] : memref<64xf32> into memref<1x64xf32>
    %alloc_571 = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_571 : memref<64xf32>)
    linalg.generic {indexing_maps = [#map12, #map13], iterator_types = ["parallel", "reduction"]} ins(%expand_shape_570 : memref<1x64xf32>) outs(%alloc_571 : memref<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %alloc_572 = memref.alloc() {alignment = 64 : i64} : memref<64x256xf32>
    linalg.generic {indexing_maps = [#map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%collapse_shape_568 : memref<256x64xf32>) outs(%alloc_572 : memref<64x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %alloc_573 = memref.alloc() {alignment = 64 : i64} : memref<64x64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_573 : memref<64x64xf32>)
    linalg.matmul ins(%alloc_572, %collapse_shape_167 : memref<64x256xf32>, memref<256x64xf32>) outs(%alloc_573 : memref<64x64xf32>)
    %alloc_574 = memref.alloc() {alignment = 64 : i64} : memref<64x64xf32>
    linalg.generic {indexing_maps = [#map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg43 : memref<64x64xf32>) outs(%alloc_574 : memref<64x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %alloc_575 = memref.alloc() {alignment = 64 : i64} : memref<256x64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_575 : memref<256x64xf32>)
    linalg.matmul ins(%collapse_shape_568, %alloc_574 : memref<256x64xf32>, memref<64x64xf32>) outs(%alloc_575 : memref<256x64xf32>)
    %expand_shape_576 = memref.expand_shape %alloc_575 [[0, 1], [2]] output_shape [8, 32, 64] : memref<256x64xf32> into memref<8x32x64xf32>
    %alloc_577 = memref.alloc() {alignment = 64 : i64} : memref<8x32x64xf32>
    linalg.generic {indexing_maps = [#map1, #map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expand_shape_556, %expand_shape_566, %expand_shape_576 : memref<8x32x64xf32>, memref<8x32x64xf32>, memref<8x32x64xf32>) outs(%alloc_577 : memref<8x32x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %out: f32):
      %3 = arith.addf %in, %in_849 : f32
      %4 = arith.addf %3, %in_850 : f32
      linalg.yield %4 : f32
    }
    %alloc_578 = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_578 : memref<64xf32>)
    linalg.generic {indexing_maps = [#map17, #map18], iterator_types = ["parallel", "reduction", "reduction"]} ins(%alloc_577 : memref<8x32x64xf32>) outs(%alloc_578 : memref<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %expand_shape_579 = memref.expand_shape %alloc_578 [[0, 1, 2]] output_shape [1, 1, 64] : memref<64xf32> into memref<1x1x64xf32>
    %alloc_580 = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_580 : memref<64xf32>)
    linalg.generic {indexing_maps = [#map17, #map18], iterator_types = ["parallel", "reduction", "reduction"]} ins(%expand_shape_579 : memref<1x1x64xf32>) outs(%alloc_580 : memref<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %alloc_581 = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_581 : memref<64xf32>)
    linalg.generic {indexing_maps = [#map17, #map17, #map18], iterator_types = ["parallel", "reduction", "reduction"]} ins(%alloc_165, %alloc_577 : memref<8x32x64xf32>, memref<8x32x64xf32>) outs(%alloc_581 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in, %in_849 : f32
      %4 = arith.addf %out, %3 : f32
      linalg.yield %4 : f32
    }
    %expand_shape_582 = memref.expand_shape %alloc_581 [[0, 1, 2]] output_shape [1, 1, 64] : memref<64xf32> into memref<1x1x64xf32>
    %alloc_583 = memref.alloc() {alignment = 64 : i64} : memref<8x32x64xf32>
    linalg.generic {indexing_maps = [#map1, #map4, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_577, %arg37 : memref<8x32x64xf32>, memref<64xf32>) outs(%alloc_583 : memref<8x32x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in, %in_849 : f32
      linalg.yield %3 : f32
    }
    %alloc_584 = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_584 : memref<64xf32>)
    linalg.generic {indexing_maps = [#map17, #map18], iterator_types = ["parallel", "reduction", "reduction"]} ins(%expand_shape_582 : memref<1x1x64xf32>) outs(%alloc_584 : memref<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %alloc_585 = memref.alloc() {alignment = 64 : i64} : memref<8x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_585 : memref<8x32xf32>)
    linalg.generic {indexing_maps = [#map1, #map1, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%alloc_160, %alloc_583 : memref<8x32x64xf32>, memref<8x32x64xf32>) outs(%alloc_585 : memref<8x32xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in, %in_849 : f32
      %4 = arith.addf %out, %3 : f32
      linalg.yield %4 : f32
    }
    %expand_shape_586 = memref.expand_shape %alloc_585 [[0], [1, 2]] output_shape [8, 32, 1] : memref<8x32xf32> into memref<8x32x1xf32>
    %alloc_587 = memref.alloc() {alignment = 64 : i64} : memref<8x32x64xf32>
    linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_583, %alloc_164 : memref<8x32x64xf32>, memref<8x32x1xf32>) outs(%alloc_587 : memref<8x32x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in, %in_849 : f32
      linalg.yield %3 : f32
    }
    %alloc_588 = memref.alloc() {alignment = 64 : i64} : memref<8x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_588 : memref<8x32xf32>)
    linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%alloc_587 : memref<8x32x64xf32>) outs(%alloc_588 : memref<8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.subf %out, %in : f32
      linalg.yield %3 : f32
    }
    %expand_shape_589 = memref.expand_shape %alloc_588 [[0], [1, 2]] output_shape [8, 32, 1] : memref<8x32xf32> into memref<8x32x1xf32>
    %alloc_590 = memref.alloc() {alignment = 64 : i64} : memref<8x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_590 : memref<8x32xf32>)
    linalg.generic {indexing_maps = [#map1, #map1, #map1, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%expand_shape_586, %alloc_164, %alloc_163 : memref<8x32x1xf32>, memref<8x32x1xf32>, memref<8x32x1xf32>) outs(%alloc_590 : memref<8x32xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %out: f32):
      %3 = arith.divf %in_849, %in_850 : f32
      %4 = arith.mulf %3, %cst_5 : f32
      %5 = arith.mulf %in, %4 : f32
      %6 = arith.divf %5, %cst_2 : f32
      %7 = arith.addf %out, %6 : f32
      linalg.yield %7 : f32
    }
    %alloc_591 = memref.alloc() {alignment = 64 : i64} : memref<8x32x64xf32>
    linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_590, %alloc_160 : memref<8x32xf32>, memref<8x32x64xf32>) outs(%alloc_591 : memref<8x32x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_3 : f32
      %4 = arith.mulf %in, %3 : f32
      linalg.yield %4 : f32
    }
    %alloc_592 = memref.alloc() {alignment = 64 : i64} : memref<8x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_592 : memref<8x32xf32>)
    linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%alloc_591 : memref<8x32x64xf32>) outs(%alloc_592 : memref<8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.subf %out, %in : f32
      linalg.yield %3 : f32
    }
    %expand_shape_593 = memref.expand_shape %alloc_592 [[0], [1, 2]] output_shape [8, 32, 1] : memref<8x32xf32> into memref<8x32x1xf32>
    %alloc_594 = memref.alloc() {alignment = 64 : i64} : memref<8x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_594 : memref<8x32xf32>)
    linalg.generic {indexing_maps = [#map1, #map1, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%expand_shape_589, %expand_shape_593 : memref<8x32x1xf32>, memref<8x32x1xf32>) outs(%alloc_594 : memref<8x32xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.addf %in, %in_849 : f32
      %4 = arith.divf %3, %cst_2 : f32
      %5 = arith.addf %out, %4 : f32
      linalg.yield %5 : f32
    }
    %alloc_595 = memref.alloc() {alignment = 64 : i64} : memref<8x32x64xf32>
    linalg.generic {indexing_maps = [#map1, #map1, #map1, #map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_510, %alloc_587, %alloc_591, %alloc_594 : memref<8x32x64xf32>, memref<8x32x64xf32>, memref<8x32x64xf32>, memref<8x32xf32>) outs(%alloc_595 : memref<8x32x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %in_851: f32, %out: f32):
      %3 = arith.addf %in, %in_849 : f32
      %4 = arith.addf %3, %in_850 : f32
      %5 = arith.addf %4, %in_851 : f32
      linalg.yield %5 : f32
    }
    %collapse_shape_596 = memref.collapse_shape %alloc_595 [[0, 1], [2]] : memref<8x32x64xf32> into memref<256x64xf32>
    %alloc_597 = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_597 : memref<64xf32>)
    linalg.generic {indexing_maps = [#map12, #map13], iterator_types = ["parallel", "reduction"]} ins(%collapse_shape_596 : memref<256x64xf32>) outs(%alloc_597 : memref<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %expand_shape_598 = memref.expand_shape %alloc_597 [[0, 1]] output_shape [1, 64] : memref<64xf32> into memref<1x64xf32>
    %alloc_599 = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_599 : memref<64xf32>)
    linalg.generic {indexing_maps = [#map12, #map13], iterator_types = ["parallel", "reduction"]} ins(%expand_shape_598 : memref<1x64xf32>) outs(%alloc_599 : memref<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %alloc_600 = memref.alloc() {alignment = 64 : i64} : memref<64x256xf32>
    linalg.generic {indexing_maps = [#map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%collapse_shape_596 : memref<256x64xf32>) outs(%alloc_600 : memref<64x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %alloc_601 = memref.alloc() {alignment = 64 : i64} : memref<64x256xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_601 : memref<64x256xf32>)
    linalg.matmul ins(%alloc_600, %collapse_shape_153 : memref<64x256xf32>, memref<256x256xf32>) outs(%alloc_601 : memref<64x256xf32>)
    %alloc_602 = memref.alloc() {alignment = 64 : i64} : memref<64x256xf32>
    linalg.generic {indexing_maps = [#map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg17 : memref<256x64xf32>) outs(%alloc_602 : memref<64x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %alloc_603 = memref.alloc() {alignment = 64 : i64} : memref<256x256xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_603 : memref<256x256xf32>)
    linalg.matmul ins(%collapse_shape_596, %alloc_602 : memref<256x64xf32>, memref<64x256xf32>) outs(%alloc_603 : memref<256x256xf32>)
    %expand_shape_604 = memref.expand_shape %alloc_603 [[0, 1], [2]] output_shape [8, 32, 256] : memref<256x256xf32> into memref<8x32x256xf32>
    %alloc_605 = memref.alloc() {alignment = 64 : i64} : memref<8x32x256xf32>
    linalg.generic {indexing_maps = [#map1, #map1, #map1, #map1, #map1, #map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_147, %expand_shape_604, %alloc_150, %alloc_149, %alloc_148, %expand_shape_146, %alloc_151 : memref<8x32x256xf32>, memref<8x32x256xf32>, memref<8x32x256xf32>, memref<8x32x256xf32>, memref<8x32x256xf32>, memref<8x32x256xf32>, memref<8x32x256xf32>) outs(%alloc_605 : memref<8x32x256xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %in_851: f32, %in_852: f32, %in_853: f32, %in_854: f32, %out: f32):
      %3 = arith.subf %cst_8, %in_850 : f32
      %4 = arith.mulf %in, %in_849 : f32
      %5 = arith.mulf %4, %3 : f32
      %6 = arith.mulf %5, %in_850 : f32
      %7 = arith.addf %5, %6 : f32
      %8 = arith.mulf %7, %cst_11 : f32
      %9 = arith.mulf %8, %in_853 : f32
      %10 = arith.mulf %in_852, %9 : f32
      %11 = arith.mulf %in_851, %8 : f32
      %12 = arith.addf %8, %11 : f32
      %13 = arith.mulf %in_849, %in_854 : f32
      %14 = arith.mulf %9, %in_853 : f32
      %15 = arith.mulf %14, %cst_10 : f32
      %16 = arith.addf %12, %10 : f32
      %17 = arith.mulf %13, %cst_9 : f32
      %18 = arith.addf %16, %15 : f32
      %19 = arith.addf %18, %17 : f32
      linalg.yield %19 : f32
    }
    %collapse_shape_606 = memref.collapse_shape %alloc_605 [[0, 1], [2]] : memref<8x32x256xf32> into memref<256x256xf32>
    %alloc_607 = memref.alloc() {alignment = 64 : i64} : memref<256xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_607 : memref<256xf32>)
    linalg.generic {indexing_maps = [#map12, #map13], iterator_types = ["parallel", "reduction"]} ins(%collapse_shape_606 : memref<256x256xf32>) outs(%alloc_607 : memref<256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %expand_shape_608 = memref.expand_shape %alloc_607 [[0, 1]] output_shape [1, 256] : memref<256xf32> into memref<1x256xf32>
    %alloc_609 = memref.alloc() {alignment = 64 : i64} : memref<256xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_609 : memref<256xf32>)
    linalg.generic {indexing_maps = [#map12, #map13], iterator_types = ["parallel", "reduction"]} ins(%expand_shape_608 : memref<1x256xf32>) outs(%alloc_609 : memref<256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %alloc_610 = memref.alloc() {alignment = 64 : i64} : memref<256x256xf32>
    linalg.generic {indexing_maps = [#map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%collapse_shape_606 : memref<256x256xf32>) outs(%alloc_610 : memref<256x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %alloc_611 = memref.alloc() {alignment = 64 : i64} : memref<256x64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_611 : memref<256x64xf32>)
    linalg.matmul ins(%alloc_610, %collapse_shape_143 : memref<256x256xf32>, memref<256x64xf32>) outs(%alloc_611 : memref<256x64xf32>)
    %alloc_612 = memref.alloc() {alignment = 64 : i64} : memref<256x64xf32>
    linalg.generic {indexing_maps = [#map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg29 : memref<64x256xf32>) outs(%alloc_612 : memref<256x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %alloc_613 = memref.alloc() {alignment = 64 : i64} : memref<256x64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_613 : memref<256x64xf32>)
    linalg.matmul ins(%collapse_shape_606, %alloc_612 : memref<256x256xf32>, memref<256x64xf32>) outs(%alloc_613 : memref<256x64xf32>)
    %expand_shape_614 = memref.expand_shape %alloc_613 [[0, 1], [2]] output_shape [8, 32, 64] : memref<256x64xf32> into memref<8x32x64xf32>
    %alloc_615 = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_615 : memref<64xf32>)
    linalg.generic {indexing_maps = [#map17, #map18], iterator_types = ["parallel", "reduction", "reduction"]} ins(%expand_shape_614 : memref<8x32x64xf32>) outs(%alloc_615 : memref<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %expand_shape_616 = memref.expand_shape %alloc_615 [[0, 1, 2]] output_shape [1, 1, 64] : memref<64xf32> into memref<1x1x64xf32>
    %alloc_617 = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_617 : memref<64xf32>)
    linalg.generic {indexing_maps = [#map17, #map18], iterator_types = ["parallel", "reduction", "reduction"]} ins(%expand_shape_616 : memref<1x1x64xf32>) outs(%alloc_617 : memref<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %alloc_618 = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_618 : memref<64xf32>)
    linalg.generic {indexing_maps = [#map17, #map17, #map18], iterator_types = ["parallel", "reduction", "reduction"]} ins(%alloc_141, %expand_shape_614 : memref<8x32x64xf32>, memref<8x32x64xf32>) outs(%alloc_618 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in, %in_849 : f32
      %4 = arith.addf %out, %3 : f32
      linalg.yield %4 : f32
    }
    %expand_shape_619 = memref.expand_shape %alloc_618 [[0, 1, 2]] output_shape [1, 1, 64] : memref<64xf32> into memref<1x1x64xf32>
    %alloc_620 = memref.alloc() {alignment = 64 : i64} : memref<8x32x64xf32>
    linalg.generic {indexing_maps = [#map1, #map4, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expand_shape_614, %arg23 : memref<8x32x64xf32>, memref<64xf32>) outs(%alloc_620 : memref<8x32x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in, %in_849 : f32
      linalg.yield %3 : f32
    }
    %alloc_621 = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_621 : memref<64xf32>)
    linalg.generic {indexing_maps = [#map17, #map18], iterator_types = ["parallel", "reduction", "reduction"]} ins(%expand_shape_619 : memref<1x1x64xf32>) outs(%alloc_621 : memref<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %alloc_622 = memref.alloc() {alignment = 64 : i64} : memref<8x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_622 : memref<8x32xf32>)
    linalg.generic {indexing_maps = [#map1, #map1, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%alloc_136, %alloc_620 : memref<8x32x64xf32>, memref<8x32x64xf32>) outs(%alloc_622 : memref<8x32xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in, %in_849 : f32
      %4 = arith.addf %out, %3 : f32
      linalg.yield %4 : f32
    }
    %expand_shape_623 = memref.expand_shape %alloc_622 [[0], [1, 2]] output_shape [8, 32, 1] : memref<8x32xf32> into memref<8x32x1xf32>
    %alloc_624 = memref.alloc() {alignment = 64 : i64} : memref<8x32x64xf32>
    linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_620, %alloc_140 : memref<8x32x64xf32>, memref<8x32x1xf32>) outs(%alloc_624 : memref<8x32x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in, %in_849 : f32
      linalg.yield %3 : f32
    }
    %alloc_625 = memref.alloc() {alignment = 64 : i64} : memref<8x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_625 : memref<8x32xf32>)
    linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%alloc_624 : memref<8x32x64xf32>) outs(%alloc_625 : memref<8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.subf %out, %in : f32
      linalg.yield %3 : f32
    }
    %expand_shape_626 = memref.expand_shape %alloc_625 [[0], [1, 2]] output_shape [8, 32, 1] : memref<8x32xf32> into memref<8x32x1xf32>
    %alloc_627 = memref.alloc() {alignment = 64 : i64} : memref<8x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_627 : memref<8x32xf32>)
    linalg.generic {indexing_maps = [#map1, #map1, #map1, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%expand_shape_623, %alloc_140, %alloc_139 : memref<8x32x1xf32>, memref<8x32x1xf32>, memref<8x32x1xf32>) outs(%alloc_627 : memref<8x32xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %out: f32):
      %3 = arith.divf %in_849, %in_850 : f32
      %4 = arith.mulf %3, %cst_5 : f32
      %5 = arith.mulf %in, %4 : f32
      %6 = arith.divf %5, %cst_2 : f32
      %7 = arith.addf %out, %6 : f32
      linalg.yield %7 : f32
    }
    %alloc_628 = memref.alloc() {alignment = 64 : i64} : memref<8x32x64xf32>
    linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_627, %alloc_136 : memref<8x32xf32>, memref<8x32x64xf32>) outs(%alloc_628 : memref<8x32x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_3 : f32
      %4 = arith.mulf %in, %3 : f32
      linalg.yield %4 : f32
    }
    %alloc_629 = memref.alloc() {alignment = 64 : i64} : memref<8x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_629 : memref<8x32xf32>)
    linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%alloc_628 : memref<8x32x64xf32>) outs(%alloc_629 : memref<8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.subf %out, %in : f32
      linalg.yield %3 : f32
    }
    %expand_shape_630 = memref.expand_shape %alloc_629 [[0], [1, 2]] output_shape [8, 32, 1] : memref<8x32xf32> into memref<8x32x1xf32>
    %alloc_631 = memref.alloc() {alignment = 64 : i64} : memref<8x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_631 : memref<8x32xf32>)
    linalg.generic {indexing_maps = [#map1, #map1, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%expand_shape_626, %expand_shape_630 : memref<8x32x1xf32>, memref<8x32x1xf32>) outs(%alloc_631 : memref<8x32xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.addf %in, %in_849 : f32
      %4 = arith.divf %3, %cst_2 : f32
      %5 = arith.addf %out, %4 : f32
      linalg.yield %5 : f32
    }
    %alloc_632 = memref.alloc() {alignment = 64 : i64} : memref<8x32x64xf32>
    linalg.generic {indexing_maps = [#map1, #map1, #map1, #map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_595, %alloc_624, %alloc_628, %alloc_631 : memref<8x32x64xf32>, memref<8x32x64xf32>, memref<8x32x64xf32>, memref<8x32xf32>) outs(%alloc_632 : memref<8x32x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %in_851: f32, %out: f32):
      %3 = arith.addf %in, %in_849 : f32
      %4 = arith.addf %3, %in_850 : f32
      %5 = arith.addf %4, %in_851 : f32
      linalg.yield %5 : f32
    }
    %collapse_shape_633 = memref.collapse_shape %alloc_632 [[0, 1], [2]] : memref<8x32x64xf32> into memref<256x64xf32>
    %alloc_634 = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_634 : memref<64xf32>)
    linalg.generic {indexing_maps = [#map12, #map13], iterator_types = ["parallel", "reduction"]} ins(%collapse_shape_633 : memref<256x64xf32>) outs(%alloc_634 : memref<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %expand_shape_635 = memref.expand_shape %alloc_634 [[0, 1]] output_shape [1, 64] : memref<64xf32> into memref<1x64xf32>
    %alloc_636 = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_636 : memref<64xf32>)
    linalg.generic {indexing_maps = [#map12, #map13], iterator_types = ["parallel", "reduction"]} ins(%expand_shape_635 : memref<1x64xf32>) outs(%alloc_636 : memref<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %alloc_637 = memref.alloc() {alignment = 64 : i64} : memref<64x256xf32>
    linalg.generic {indexing_maps = [#map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%collapse_shape_633 : memref<256x64xf32>) outs(%alloc_637 : memref<64x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %alloc_638 = memref.alloc() {alignment = 64 : i64} : memref<64x64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_638 : memref<64x64xf32>)
    linalg.matmul ins(%alloc_637, %collapse_shape_129 : memref<64x256xf32>, memref<256x64xf32>) outs(%alloc_638 : memref<64x64xf32>)
    %alloc_639 = memref.alloc() {alignment = 64 : i64} : memref<64x64xf32>
    linalg.generic {indexing_maps = [#map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg25 : memref<64x64xf32>) outs(%alloc_639 : memref<64x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %alloc_640 = memref.alloc() {alignment = 64 : i64} : memref<256x64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_640 : memref<256x64xf32>)
    linalg.matmul ins(%collapse_shape_633, %alloc_639 : memref<256x64xf32>, memref<64x64xf32>) outs(%alloc_640 : memref<256x64xf32>)
    %expand_shape_641 = memref.expand_shape %alloc_640 [[0, 1], [2, 3]] output_shape [8, 32, 8, 8] : memref<256x64xf32> into memref<8x32x8x8xf32>
    %alloc_642 = memref.alloc() {alignment = 64 : i64} : memref<8x8x32x8xf32>
    linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expand_shape_641 : memref<8x32x8x8xf32>) outs(%alloc_642 : memref<8x8x32x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %collapse_shape_643 = memref.collapse_shape %alloc_642 [[0, 1], [2], [3]] : memref<8x8x32x8xf32> into memref<64x32x8xf32>
    %alloc_644 = memref.alloc() {alignment = 64 : i64} : memref<64x8x32xf32>
    linalg.generic {indexing_maps = [#map19, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapse_shape_643 : memref<64x32x8xf32>) outs(%alloc_644 : memref<64x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %alloc_645 = memref.alloc() {alignment = 64 : i64} : memref<64x8x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_645 : memref<64x8x32xf32>)
    linalg.batch_matmul ins(%alloc_644, %collapse_shape_124 : memref<64x8x32xf32>, memref<64x32x32xf32>) outs(%alloc_645 : memref<64x8x32xf32>)
    %alloc_646 = memref.alloc() {alignment = 64 : i64} : memref<64x32x8xf32>
    linalg.generic {indexing_maps = [#map19, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_645 : memref<64x8x32xf32>) outs(%alloc_646 : memref<64x32x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %alloc_647 = memref.alloc() {alignment = 64 : i64} : memref<64x8x32xf32>
    linalg.generic {indexing_maps = [#map19, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapse_shape_125 : memref<64x32x8xf32>) outs(%alloc_647 : memref<64x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %alloc_648 = memref.alloc() {alignment = 64 : i64} : memref<64x32x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_648 : memref<64x32x32xf32>)
    linalg.batch_matmul ins(%collapse_shape_643, %alloc_647 : memref<64x32x8xf32>, memref<64x8x32xf32>) outs(%alloc_648 : memref<64x32x32xf32>)
    %expand_shape_649 = memref.expand_shape %alloc_646 [[0, 1], [2], [3]] output_shape [8, 8, 32, 8] : memref<64x32x8xf32> into memref<8x8x32x8xf32>
    %expand_shape_650 = memref.expand_shape %alloc_648 [[0, 1], [2], [3]] output_shape [8, 8, 32, 32] : memref<64x32x32xf32> into memref<8x8x32x32xf32>
    %alloc_651 = memref.alloc() {alignment = 64 : i64} : memref<8x8x32x32xf32>
    linalg.generic {indexing_maps = [#map8, #map11, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expand_shape_650, %expand_shape_122 : memref<8x8x32x32xf32>, memref<8x8x32x1xf32>) outs(%alloc_651 : memref<8x8x32x32xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %in_849 : f32
      %4 = arith.divf %cst_8, %3 : f32
      %5 = arith.mulf %in, %4 : f32
      linalg.yield %5 : f32
    }
    %alloc_652 = memref.alloc() {alignment = 64 : i64} : memref<8x8x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_652 : memref<8x8x32xf32>)
    linalg.generic {indexing_maps = [#map8, #map8, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%alloc_651, %alloc_120 : memref<8x8x32x32xf32>, memref<8x8x32x32xf32>) outs(%alloc_652 : memref<8x8x32xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in, %in_849 : f32
      %4 = arith.addf %out, %3 : f32
      linalg.yield %4 : f32
    }
    %alloc_653 = memref.alloc() {alignment = 64 : i64} : memref<8x8x32xf32>
    linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_652 : memref<8x8x32xf32>) outs(%alloc_653 : memref<8x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.negf %in : f32
      linalg.yield %3 : f32
    }
    %expand_shape_654 = memref.expand_shape %alloc_653 [[0], [1], [2, 3]] output_shape [8, 8, 32, 1] : memref<8x8x32xf32> into memref<8x8x32x1xf32>
    %alloc_655 = memref.alloc() {alignment = 64 : i64} : memref<8x8x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_655 : memref<8x8x32xf32>)
    linalg.generic {indexing_maps = [#map8, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%expand_shape_654 : memref<8x8x32x1xf32>) outs(%alloc_655 : memref<8x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %alloc_656 = memref.alloc() {alignment = 64 : i64} : memref<8x8x32x32xf32>
    linalg.generic {indexing_maps = [#map8, #map10, #map10, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expand_shape_650, %alloc_121, %alloc_655, %alloc_120 : memref<8x8x32x32xf32>, memref<8x8x32xf32>, memref<8x8x32xf32>, memref<8x8x32x32xf32>) outs(%alloc_656 : memref<8x8x32x32xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %in_851: f32, %out: f32):
      %3 = arith.divf %in, %in_849 : f32
      %4 = arith.addf %3, %in_850 : f32
      %5 = arith.mulf %4, %in_851 : f32
      linalg.yield %5 : f32
    }
    %alloc_657 = memref.alloc() {alignment = 64 : i64} : memref<8x8x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_657 : memref<8x8x32xf32>)
    linalg.generic {indexing_maps = [#map8, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%alloc_656 : memref<8x8x32x32xf32>) outs(%alloc_657 : memref<8x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.subf %out, %in : f32
      linalg.yield %3 : f32
    }
    %expand_shape_658 = memref.expand_shape %alloc_657 [[0], [1], [2, 3]] output_shape [8, 8, 32, 1] : memref<8x8x32xf32> into memref<8x8x32x1xf32>
    %alloc_659 = memref.alloc() {alignment = 64 : i64} : memref<8x8x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_659 : memref<8x8x32xf32>)
    linalg.generic {indexing_maps = [#map8, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%expand_shape_658 : memref<8x8x32x1xf32>) outs(%alloc_659 : memref<8x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %alloc_660 = memref.alloc() {alignment = 64 : i64} : memref<8x8x32x32xf32>
    linalg.generic {indexing_maps = [#map8, #map8, #map10, #map10, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_656, %alloc_118, %alloc_659, %alloc_119 : memref<8x8x32x32xf32>, memref<8x8x32x32xf32>, memref<8x8x32xf32>, memref<8x8x32xf32>) outs(%alloc_660 : memref<8x8x32x32xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %in_851: f32, %out: f32):
      %3 = arith.divf %in_850, %in_851 : f32
      %4 = arith.cmpf une, %in_849, %cst_0 : f32
      %5 = arith.select %4, %3, %cst_0 : f32
      %6 = arith.addf %in, %5 : f32
      %7 = arith.divf %6, %cst_6 : f32
      linalg.yield %7 : f32
    }
    %collapse_shape_661 = memref.collapse_shape %alloc_660 [[0, 1], [2], [3]] : memref<8x8x32x32xf32> into memref<64x32x32xf32>
    %alloc_662 = memref.alloc() {alignment = 64 : i64} : memref<64x32x32xf32>
    linalg.generic {indexing_maps = [#map19, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapse_shape_661 : memref<64x32x32xf32>) outs(%alloc_662 : memref<64x32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %alloc_663 = memref.alloc() {alignment = 64 : i64} : memref<64x32x8xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_663 : memref<64x32x8xf32>)
    linalg.batch_matmul ins(%alloc_662, %collapse_shape_111 : memref<64x32x32xf32>, memref<64x32x8xf32>) outs(%alloc_663 : memref<64x32x8xf32>)
    %alloc_664 = memref.alloc() {alignment = 64 : i64} : memref<64x8x32xf32>
    linalg.generic {indexing_maps = [#map19, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_663 : memref<64x32x8xf32>) outs(%alloc_664 : memref<64x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %alloc_665 = memref.alloc() {alignment = 64 : i64} : memref<64x32x8xf32>
    linalg.generic {indexing_maps = [#map19, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapse_shape_112 : memref<64x8x32xf32>) outs(%alloc_665 : memref<64x32x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %alloc_666 = memref.alloc() {alignment = 64 : i64} : memref<64x32x8xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_666 : memref<64x32x8xf32>)
    linalg.batch_matmul ins(%collapse_shape_661, %alloc_665 : memref<64x32x32xf32>, memref<64x32x8xf32>) outs(%alloc_666 : memref<64x32x8xf32>)
    %expand_shape_667 = memref.expand_shape %alloc_664 [[0, 1], [2], [3]] output_shape [8, 8, 8, 32] : memref<64x8x32xf32> into memref<8x8x8x32xf32>
    %expand_shape_668 = memref.expand_shape %alloc_666 [[0, 1], [2], [3]] output_shape [8, 8, 32, 8] : memref<64x32x8xf32> into memref<8x8x32x8xf32>
    %alloc_669 = memref.alloc() {alignment = 64 : i64} : memref<8x32x8x8xf32>
    linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expand_shape_649 : memref<8x8x32x8xf32>) outs(%alloc_669 : memref<8x32x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %collapse_shape_670 = memref.collapse_shape %alloc_669 [[0, 1], [2, 3]] : memref<8x32x8x8xf32> into memref<256x64xf32>
    %alloc_671 = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_671 : memref<64xf32>)
    linalg.generic {indexing_maps = [#map12, #map13], iterator_types = ["parallel", "reduction"]} ins(%collapse_shape_670 : memref<256x64xf32>) outs(%alloc_671 : memref<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %expand_shape_672 = memref.expand_shape %alloc_671 [[0, 1]] output_shape [1, 64] : memref<64xf32> into memref<1x64xf32>
    %alloc_673 = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_673 : memref<64xf32>)
    linalg.generic {indexing_maps = [#map12, #map13], iterator_types = ["parallel", "reduction"]} ins(%expand_shape_672 : memref<1x64xf32>) outs(%alloc_673 : memref<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %alloc_674 = memref.alloc() {alignment = 64 : i64} : memref<64x256xf32>
    linalg.generic {indexing_maps = [#map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%collapse_shape_670 : memref<256x64xf32>) outs(%alloc_674 : memref<64x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %alloc_675 = memref.alloc() {alignment = 64 : i64} : memref<64x64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_675 : memref<64x64xf32>)
    linalg.matmul ins(%alloc_674, %collapse_shape_98 : memref<64x256xf32>, memref<256x64xf32>) outs(%alloc_675 : memref<64x64xf32>)
    %alloc_676 = memref.alloc() {alignment = 64 : i64} : memref<64x64xf32>
    linalg.generic {indexing_maps = [#map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg31 : memref<64x64xf32>) outs(%alloc_676 : memref<64x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %alloc_677 = memref.alloc() {alignment = 64 : i64} : memref<256x64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_677 : memref<256x64xf32>)
    linalg.matmul ins(%collapse_shape_670, %alloc_676 : memref<256x64xf32>, memref<64x64xf32>) outs(%alloc_677 : memref<256x64xf32>)
    %expand_shape_678 = memref.expand_shape %alloc_677 [[0, 1], [2]] output_shape [8, 32, 64] : memref<256x64xf32> into memref<8x32x64xf32>
    %alloc_679 = memref.alloc() {alignment = 64 : i64} : memref<8x32x8x8xf32>
    linalg.generic {indexing_maps = [#map20, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expand_shape_667 : memref<8x8x8x32xf32>) outs(%alloc_679 : memref<8x32x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %collapse_shape_680 = memref.collapse_shape %alloc_679 [[0, 1], [2, 3]] : memref<8x32x8x8xf32> into memref<256x64xf32>
    %alloc_681 = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_681 : memref<64xf32>)
    linalg.generic {indexing_maps = [#map12, #map13], iterator_types = ["parallel", "reduction"]} ins(%collapse_shape_680 : memref<256x64xf32>) outs(%alloc_681 : memref<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %expand_shape_682 = memref.expand_shape %alloc_681 [[0, 1]] output_shape [1, 64] : memref<64xf32> into memref<1x64xf32>
    %alloc_683 = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_683 : memref<64xf32>)
    linalg.generic {indexing_maps = [#map12, #map13], iterator_types = ["parallel", "reduction"]} ins(%expand_shape_682 : memref<1x64xf32>) outs(%alloc_683 : memref<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %alloc_684 = memref.alloc() {alignment = 64 : i64} : memref<64x256xf32>
    linalg.generic {indexing_maps = [#map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%collapse_shape_680 : memref<256x64xf32>) outs(%alloc_684 : memref<64x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %alloc_685 = memref.alloc() {alignment = 64 : i64} : memref<64x64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_685 : memref<64x64xf32>)
    linalg.matmul ins(%alloc_684, %collapse_shape_98 : memref<64x256xf32>, memref<256x64xf32>) outs(%alloc_685 : memref<64x64xf32>)
    %alloc_686 = memref.alloc() {alignment = 64 : i64} : memref<64x64xf32>
    linalg.generic {indexing_maps = [#map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg19 : memref<64x64xf32>) outs(%alloc_686 : memref<64x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %alloc_687 = memref.alloc() {alignment = 64 : i64} : memref<256x64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_687 : memref<256x64xf32>)
    linalg.matmul ins(%collapse_shape_680, %alloc_686 : memref<256x64xf32>, memref<64x64xf32>) outs(%alloc_687 : memref<256x64xf32>)
    %expand_shape_688 = memref.expand_shape %alloc_687 [[0, 1], [2]] output_shape [8, 32, 64] : memref<256x64xf32> into memref<8x32x64xf32>
    %alloc_689 = memref.alloc() {alignment = 64 : i64} : memref<8x32x8x8xf32>
    linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expand_shape_668 : memref<8x8x32x8xf32>) outs(%alloc_689 : memref<8x32x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %collapse_shape_690 = memref.collapse_shape %alloc_689 [[0, 1], [2, 3]] : memref<8x32x8x8xf32> into memref<256x64xf32>
    %alloc_691 = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_691 : memref<64xf32>)
    linalg.generic {indexing_maps = [#map12, #map13], iterator_types = ["parallel", "reduction"]} ins(%collapse_shape_690 : memref<256x64xf32>) outs(%alloc_691 : memref<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %expand_shape_692 = memref.expand_shape %alloc_691 [[0, 1]] output_shape [1, 64] : memref<64xf32> into memref<1x64xf32>
    %alloc_693 = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_693 : memref<64xf32>)
    linalg.generic {indexing_maps = [#map12, #map13], iterator_types = ["parallel", "reduction"]} ins(%expand_shape_692 : memref<1x64xf32>) outs(%alloc_693 : memref<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %alloc_694 = memref.alloc() {alignment = 64 : i64} : memref<64x256xf32>
    linalg.generic {indexing_maps = [#map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%collapse_shape_690 : memref<256x64xf32>) outs(%alloc_694 : memref<64x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %alloc_695 = memref.alloc() {alignment = 64 : i64} : memref<64x64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_695 : memref<64x64xf32>)
    linalg.matmul ins(%alloc_694, %collapse_shape_98 : memref<64x256xf32>, memref<256x64xf32>) outs(%alloc_695 : memref<64x64xf32>)
    %alloc_696 = memref.alloc() {alignment = 64 : i64} : memref<64x64xf32>
    linalg.generic {indexing_maps = [#map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg27 : memref<64x64xf32>) outs(%alloc_696 : memref<64x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %alloc_697 = memref.alloc() {alignment = 64 : i64} : memref<256x64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_697 : memref<256x64xf32>)
    linalg.matmul ins(%collapse_shape_690, %alloc_696 : memref<256x64xf32>, memref<64x64xf32>) outs(%alloc_697 : memref<256x64xf32>)
    %expand_shape_698 = memref.expand_shape %alloc_697 [[0, 1], [2]] output_shape [8, 32, 64] : memref<256x64xf32> into memref<8x32x64xf32>
    %alloc_699 = memref.alloc() {alignment = 64 : i64} : memref<8x32x64xf32>
    linalg.generic {indexing_maps = [#map1, #map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expand_shape_678, %expand_shape_688, %expand_shape_698 : memref<8x32x64xf32>, memref<8x32x64xf32>, memref<8x32x64xf32>) outs(%alloc_699 : memref<8x32x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %out: f32):
      %3 = arith.addf %in, %in_849 : f32
      %4 = arith.addf %3, %in_850 : f32
      linalg.yield %4 : f32
    }
    %alloc_700 = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_700 : memref<64xf32>)
    linalg.generic {indexing_maps = [#map17, #map18], iterator_types = ["parallel", "reduction", "reduction"]} ins(%alloc_699 : memref<8x32x64xf32>) outs(%alloc_700 : memref<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %expand_shape_701 = memref.expand_shape %alloc_700 [[0, 1, 2]] output_shape [1, 1, 64] : memref<64xf32> into memref<1x1x64xf32>
    %alloc_702 = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_702 : memref<64xf32>)
    linalg.generic {indexing_maps = [#map17, #map18], iterator_types = ["parallel", "reduction", "reduction"]} ins(%expand_shape_701 : memref<1x1x64xf32>) outs(%alloc_702 : memref<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %alloc_703 = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_703 : memref<64xf32>)
    linalg.generic {indexing_maps = [#map17, #map17, #map18], iterator_types = ["parallel", "reduction", "reduction"]} ins(%alloc_96, %alloc_699 : memref<8x32x64xf32>, memref<8x32x64xf32>) outs(%alloc_703 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in, %in_849 : f32
      %4 = arith.addf %out, %3 : f32
      linalg.yield %4 : f32
    }
    %expand_shape_704 = memref.expand_shape %alloc_703 [[0, 1, 2]] output_shape [1, 1, 64] : memref<64xf32> into memref<1x1x64xf32>
    %alloc_705 = memref.alloc() {alignment = 64 : i64} : memref<8x32x64xf32>
    linalg.generic {indexing_maps = [#map1, #map4, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_699, %arg21 : memref<8x32x64xf32>, memref<64xf32>) outs(%alloc_705 : memref<8x32x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in, %in_849 : f32
      linalg.yield %3 : f32
    }
    %alloc_706 = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_706 : memref<64xf32>)
    linalg.generic {indexing_maps = [#map17, #map18], iterator_types = ["parallel", "reduction", "reduction"]} ins(%expand_shape_704 : memref<1x1x64xf32>) outs(%alloc_706 : memref<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %alloc_707 = memref.alloc() {alignment = 64 : i64} : memref<8x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_707 : memref<8x32xf32>)
    linalg.generic {indexing_maps = [#map1, #map1, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%alloc_91, %alloc_705 : memref<8x32x64xf32>, memref<8x32x64xf32>) outs(%alloc_707 : memref<8x32xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in, %in_849 : f32
      %4 = arith.addf %out, %3 : f32
      linalg.yield %4 : f32
    }
    %expand_shape_708 = memref.expand_shape %alloc_707 [[0], [1, 2]] output_shape [8, 32, 1] : memref<8x32xf32> into memref<8x32x1xf32>
    %alloc_709 = memref.alloc() {alignment = 64 : i64} : memref<8x32x64xf32>
    linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_705, %alloc_95 : memref<8x32x64xf32>, memref<8x32x1xf32>) outs(%alloc_709 : memref<8x32x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in, %in_849 : f32
      linalg.yield %3 : f32
    }
    %alloc_710 = memref.alloc() {alignment = 64 : i64} : memref<8x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_710 : memref<8x32xf32>)
    linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%alloc_709 : memref<8x32x64xf32>) outs(%alloc_710 : memref<8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.subf %out, %in : f32
      linalg.yield %3 : f32
    }
    %expand_shape_711 = memref.expand_shape %alloc_710 [[0], [1, 2]] output_shape [8, 32, 1] : memref<8x32xf32> into memref<8x32x1xf32>
    %alloc_712 = memref.alloc() {alignment = 64 : i64} : memref<8x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_712 : memref<8x32xf32>)
    linalg.generic {indexing_maps = [#map1, #map1, #map1, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%expand_shape_708, %alloc_95, %alloc_94 : memref<8x32x1xf32>, memref<8x32x1xf32>, memref<8x32x1xf32>) outs(%alloc_712 : memref<8x32xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %out: f32):
      %3 = arith.divf %in_849, %in_850 : f32
      %4 = arith.mulf %3, %cst_5 : f32
      %5 = arith.mulf %in, %4 : f32
      %6 = arith.divf %5, %cst_2 : f32
      %7 = arith.addf %out, %6 : f32
      linalg.yield %7 : f32
    }
    %alloc_713 = memref.alloc() {alignment = 64 : i64} : memref<8x32x64xf32>
    linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_712, %alloc_91 : memref<8x32xf32>, memref<8x32x64xf32>) outs(%alloc_713 : memref<8x32x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_3 : f32
      %4 = arith.mulf %in, %3 : f32
      linalg.yield %4 : f32
    }
    %alloc_714 = memref.alloc() {alignment = 64 : i64} : memref<8x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_714 : memref<8x32xf32>)
    linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%alloc_713 : memref<8x32x64xf32>) outs(%alloc_714 : memref<8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.subf %out, %in : f32
      linalg.yield %3 : f32
    }
    %expand_shape_715 = memref.expand_shape %alloc_714 [[0], [1, 2]] output_shape [8, 32, 1] : memref<8x32xf32> into memref<8x32x1xf32>
    %alloc_716 = memref.alloc() {alignment = 64 : i64} : memref<8x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_716 : memref<8x32xf32>)
    linalg.generic {indexing_maps = [#map1, #map1, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%expand_shape_711, %expand_shape_715 : memref<8x32x1xf32>, memref<8x32x1xf32>) outs(%alloc_716 : memref<8x32xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.addf %in, %in_849 : f32
      %4 = arith.divf %3, %cst_2 : f32
      %5 = arith.addf %out, %4 : f32
      linalg.yield %5 : f32
    }
    %alloc_717 = memref.alloc() {alignment = 64 : i64} : memref<8x32x64xf32>
    linalg.generic {indexing_maps = [#map1, #map1, #map1, #map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_632, %alloc_709, %alloc_713, %alloc_716 : memref<8x32x64xf32>, memref<8x32x64xf32>, memref<8x32x64xf32>, memref<8x32xf32>) outs(%alloc_717 : memref<8x32x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %in_851: f32, %out: f32):
      %3 = arith.addf %in, %in_849 : f32
      %4 = arith.addf %3, %in_850 : f32
      %5 = arith.addf %4, %in_851 : f32
      linalg.yield %5 : f32
    }
    %collapse_shape_718 = memref.collapse_shape %alloc_717 [[0, 1], [2]] : memref<8x32x64xf32> into memref<256x64xf32>
    %alloc_719 = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_719 : memref<64xf32>)
    linalg.generic {indexing_maps = [#map12, #map13], iterator_types = ["parallel", "reduction"]} ins(%collapse_shape_718 : memref<256x64xf32>) outs(%alloc_719 : memref<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %expand_shape_720 = memref.expand_shape %alloc_719 [[0, 1]] output_shape [1, 64] : memref<64xf32> into memref<1x64xf32>
    %alloc_721 = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_721 : memref<64xf32>)
    linalg.generic {indexing_maps = [#map12, #map13], iterator_types = ["parallel", "reduction"]} ins(%expand_shape_720 : memref<1x64xf32>) outs(%alloc_721 : memref<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %alloc_722 = memref.alloc() {alignment = 64 : i64} : memref<64x256xf32>
    linalg.generic {indexing_maps = [#map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%collapse_shape_718 : memref<256x64xf32>) outs(%alloc_722 : memref<64x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %alloc_723 = memref.alloc() {alignment = 64 : i64} : memref<64x256xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_723 : memref<64x256xf32>)
    linalg.matmul ins(%alloc_722, %collapse_shape_84 : memref<64x256xf32>, memref<256x256xf32>) outs(%alloc_723 : memref<64x256xf32>)
    %alloc_724 = memref.alloc() {alignment = 64 : i64} : memref<64x256xf32>
    linalg.generic {indexing_maps = [#map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg1 : memref<256x64xf32>) outs(%alloc_724 : memref<64x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %alloc_725 = memref.alloc() {alignment = 64 : i64} : memref<256x256xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_725 : memref<256x256xf32>)
    linalg.matmul ins(%collapse_shape_718, %alloc_724 : memref<256x64xf32>, memref<64x256xf32>) outs(%alloc_725 : memref<256x256xf32>)
    %expand_shape_726 = memref.expand_shape %alloc_725 [[0, 1], [2]] output_shape [8, 32, 256] : memref<256x256xf32> into memref<8x32x256xf32>
    %alloc_727 = memref.alloc() {alignment = 64 : i64} : memref<8x32x256xf32>
    linalg.generic {indexing_maps = [#map1, #map1, #map1, #map1, #map1, #map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_78, %expand_shape_726, %alloc_81, %alloc_80, %alloc_79, %expand_shape_77, %alloc_82 : memref<8x32x256xf32>, memref<8x32x256xf32>, memref<8x32x256xf32>, memref<8x32x256xf32>, memref<8x32x256xf32>, memref<8x32x256xf32>, memref<8x32x256xf32>) outs(%alloc_727 : memref<8x32x256xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %in_851: f32, %in_852: f32, %in_853: f32, %in_854: f32, %out: f32):
      %3 = arith.subf %cst_8, %in_850 : f32
      %4 = arith.mulf %in, %in_849 : f32
      %5 = arith.mulf %4, %3 : f32
      %6 = arith.mulf %5, %in_850 : f32
      %7 = arith.addf %5, %6 : f32
      %8 = arith.mulf %7, %cst_11 : f32
      %9 = arith.mulf %8, %in_853 : f32
      %10 = arith.mulf %in_852, %9 : f32
      %11 = arith.mulf %in_851, %8 : f32
      %12 = arith.addf %8, %11 : f32
      %13 = arith.mulf %in_849, %in_854 : f32
      %14 = arith.mulf %9, %in_853 : f32
      %15 = arith.mulf %14, %cst_10 : f32
      %16 = arith.addf %12, %10 : f32
      %17 = arith.mulf %13, %cst_9 : f32
      %18 = arith.addf %16, %15 : f32
      %19 = arith.addf %18, %17 : f32
      linalg.yield %19 : f32
    }
    %collapse_shape_728 = memref.collapse_shape %alloc_727 [[0, 1], [2]] : memref<8x32x256xf32> into memref<256x256xf32>
    %alloc_729 = memref.alloc() {alignment = 64 : i64} : memref<256xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_729 : memref<256xf32>)
    linalg.generic {indexing_maps = [#map12, #map13], iterator_types = ["parallel", "reduction"]} ins(%collapse_shape_728 : memref<256x256xf32>) outs(%alloc_729 : memref<256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %expand_shape_730 = memref.expand_shape %alloc_729 [[0, 1]] output_shape [1, 256] : memref<256xf32> into memref<1x256xf32>
    %alloc_731 = memref.alloc() {alignment = 64 : i64} : memref<256xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_731 : memref<256xf32>)
    linalg.generic {indexing_maps = [#map12, #map13], iterator_types = ["parallel", "reduction"]} ins(%expand_shape_730 : memref<1x256xf32>) outs(%alloc_731 : memref<256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %alloc_732 = memref.alloc() {alignment = 64 : i64} : memref<256x256xf32>
    linalg.generic {indexing_maps = [#map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%collapse_shape_728 : memref<256x256xf32>) outs(%alloc_732 : memref<256x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %alloc_733 = memref.alloc() {alignment = 64 : i64} : memref<256x64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_733 : memref<256x64xf32>)
    linalg.matmul ins(%alloc_732, %collapse_shape_74 : memref<256x256xf32>, memref<256x64xf32>) outs(%alloc_733 : memref<256x64xf32>)
    %alloc_734 = memref.alloc() {alignment = 64 : i64} : memref<256x64xf32>
    linalg.generic {indexing_maps = [#map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg13 : memref<64x256xf32>) outs(%alloc_734 : memref<256x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %alloc_735 = memref.alloc() {alignment = 64 : i64} : memref<256x64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_735 : memref<256x64xf32>)
    linalg.matmul ins(%collapse_shape_728, %alloc_734 : memref<256x256xf32>, memref<256x64xf32>) outs(%alloc_735 : memref<256x64xf32>)
    %expand_shape_736 = memref.expand_shape %alloc_735 [[0, 1], [2]] output_shape [8, 32, 64] : memref<256x64xf32> into memref<8x32x64xf32>
    %alloc_737 = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_737 : memref<64xf32>)
    linalg.generic {indexing_maps = [#map17, #map18], iterator_types = ["parallel", "reduction", "reduction"]} ins(%expand_shape_736 : memref<8x32x64xf32>) outs(%alloc_737 : memref<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %expand_shape_738 = memref.expand_shape %alloc_737 [[0, 1, 2]] output_shape [1, 1, 64] : memref<64xf32> into memref<1x1x64xf32>
    %alloc_739 = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_739 : memref<64xf32>)
    linalg.generic {indexing_maps = [#map17, #map18], iterator_types = ["parallel", "reduction", "reduction"]} ins(%expand_shape_738 : memref<1x1x64xf32>) outs(%alloc_739 : memref<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %alloc_740 = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_740 : memref<64xf32>)
    linalg.generic {indexing_maps = [#map17, #map17, #map18], iterator_types = ["parallel", "reduction", "reduction"]} ins(%alloc_72, %expand_shape_736 : memref<8x32x64xf32>, memref<8x32x64xf32>) outs(%alloc_740 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in, %in_849 : f32
      %4 = arith.addf %out, %3 : f32
      linalg.yield %4 : f32
    }
    %expand_shape_741 = memref.expand_shape %alloc_740 [[0, 1, 2]] output_shape [1, 1, 64] : memref<64xf32> into memref<1x1x64xf32>
    %alloc_742 = memref.alloc() {alignment = 64 : i64} : memref<8x32x64xf32>
    linalg.generic {indexing_maps = [#map1, #map4, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expand_shape_736, %arg7 : memref<8x32x64xf32>, memref<64xf32>) outs(%alloc_742 : memref<8x32x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in, %in_849 : f32
      linalg.yield %3 : f32
    }
    %alloc_743 = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_743 : memref<64xf32>)
    linalg.generic {indexing_maps = [#map17, #map18], iterator_types = ["parallel", "reduction", "reduction"]} ins(%expand_shape_741 : memref<1x1x64xf32>) outs(%alloc_743 : memref<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %alloc_744 = memref.alloc() {alignment = 64 : i64} : memref<8x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_744 : memref<8x32xf32>)
    linalg.generic {indexing_maps = [#map1, #map1, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%alloc_67, %alloc_742 : memref<8x32x64xf32>, memref<8x32x64xf32>) outs(%alloc_744 : memref<8x32xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in, %in_849 : f32
      %4 = arith.addf %out, %3 : f32
      linalg.yield %4 : f32
    }
    %expand_shape_745 = memref.expand_shape %alloc_744 [[0], [1, 2]] output_shape [8, 32, 1] : memref<8x32xf32> into memref<8x32x1xf32>
    %alloc_746 = memref.alloc() {alignment = 64 : i64} : memref<8x32x64xf32>
    linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_742, %alloc_71 : memref<8x32x64xf32>, memref<8x32x1xf32>) outs(%alloc_746 : memref<8x32x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in, %in_849 : f32
      linalg.yield %3 : f32
    }
    %alloc_747 = memref.alloc() {alignment = 64 : i64} : memref<8x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_747 : memref<8x32xf32>)
    linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%alloc_746 : memref<8x32x64xf32>) outs(%alloc_747 : memref<8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.subf %out, %in : f32
      linalg.yield %3 : f32
    }
    %expand_shape_748 = memref.expand_shape %alloc_747 [[0], [1, 2]] output_shape [8, 32, 1] : memref<8x32xf32> into memref<8x32x1xf32>
    %alloc_749 = memref.alloc() {alignment = 64 : i64} : memref<8x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_749 : memref<8x32xf32>)
    linalg.generic {indexing_maps = [#map1, #map1, #map1, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%expand_shape_745, %alloc_71, %alloc_70 : memref<8x32x1xf32>, memref<8x32x1xf32>, memref<8x32x1xf32>) outs(%alloc_749 : memref<8x32xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %out: f32):
      %3 = arith.divf %in_849, %in_850 : f32
      %4 = arith.mulf %3, %cst_5 : f32
      %5 = arith.mulf %in, %4 : f32
      %6 = arith.divf %5, %cst_2 : f32
      %7 = arith.addf %out, %6 : f32
      linalg.yield %7 : f32
    }
    %alloc_750 = memref.alloc() {alignment = 64 : i64} : memref<8x32x64xf32>
    linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_749, %alloc_67 : memref<8x32xf32>, memref<8x32x64xf32>) outs(%alloc_750 : memref<8x32x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_3 : f32
      %4 = arith.mulf %in, %3 : f32
      linalg.yield %4 : f32
    }
    %alloc_751 = memref.alloc() {alignment = 64 : i64} : memref<8x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_751 : memref<8x32xf32>)
    linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%alloc_750 : memref<8x32x64xf32>) outs(%alloc_751 : memref<8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.subf %out, %in : f32
      linalg.yield %3 : f32
    }
    %expand_shape_752 = memref.expand_shape %alloc_751 [[0], [1, 2]] output_shape [8, 32, 1] : memref<8x32xf32> into memref<8x32x1xf32>
    %alloc_753 = memref.alloc() {alignment = 64 : i64} : memref<8x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_753 : memref<8x32xf32>)
    linalg.generic {indexing_maps = [#map1, #map1, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%expand_shape_748, %expand_shape_752 : memref<8x32x1xf32>, memref<8x32x1xf32>) outs(%alloc_753 : memref<8x32xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.addf %in, %in_849 : f32
      %4 = arith.divf %3, %cst_2 : f32
      %5 = arith.addf %out, %4 : f32
      linalg.yield %5 : f32
    }
    %alloc_754 = memref.alloc() {alignment = 64 : i64} : memref<8x32x64xf32>
    linalg.generic {indexing_maps = [#map1, #map1, #map1, #map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_717, %alloc_746, %alloc_750, %alloc_753 : memref<8x32x64xf32>, memref<8x32x64xf32>, memref<8x32x64xf32>, memref<8x32xf32>) outs(%alloc_754 : memref<8x32x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %in_851: f32, %out: f32):
      %3 = arith.addf %in, %in_849 : f32
      %4 = arith.addf %3, %in_850 : f32
      %5 = arith.addf %4, %in_851 : f32
      linalg.yield %5 : f32
    }
    %collapse_shape_755 = memref.collapse_shape %alloc_754 [[0, 1], [2]] : memref<8x32x64xf32> into memref<256x64xf32>
    %alloc_756 = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_756 : memref<64xf32>)
    linalg.generic {indexing_maps = [#map12, #map13], iterator_types = ["parallel", "reduction"]} ins(%collapse_shape_755 : memref<256x64xf32>) outs(%alloc_756 : memref<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %expand_shape_757 = memref.expand_shape %alloc_756 [[0, 1]] output_shape [1, 64] : memref<64xf32> into memref<1x64xf32>
    %alloc_758 = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_758 : memref<64xf32>)
    linalg.generic {indexing_maps = [#map12, #map13], iterator_types = ["parallel", "reduction"]} ins(%expand_shape_757 : memref<1x64xf32>) outs(%alloc_758 : memref<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %alloc_759 = memref.alloc() {alignment = 64 : i64} : memref<64x256xf32>
    linalg.generic {indexing_maps = [#map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%collapse_shape_755 : memref<256x64xf32>) outs(%alloc_759 : memref<64x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %alloc_760 = memref.alloc() {alignment = 64 : i64} : memref<64x64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_760 : memref<64x64xf32>)
    linalg.matmul ins(%alloc_759, %collapse_shape_60 : memref<64x256xf32>, memref<256x64xf32>) outs(%alloc_760 : memref<64x64xf32>)
    %alloc_761 = memref.alloc() {alignment = 64 : i64} : memref<64x64xf32>
    linalg.generic {indexing_maps = [#map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg9 : memref<64x64xf32>) outs(%alloc_761 : memref<64x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %alloc_762 = memref.alloc() {alignment = 64 : i64} : memref<256x64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_762 : memref<256x64xf32>)
    linalg.matmul ins(%collapse_shape_755, %alloc_761 : memref<256x64xf32>, memref<64x64xf32>) outs(%alloc_762 : memref<256x64xf32>)
    %expand_shape_763 = memref.expand_shape %alloc_762 [[0, 1], [2, 3]] output_shape [8, 32, 8, 8] : memref<256x64xf32> into memref<8x32x8x8xf32>
    %alloc_764 = memref.alloc() {alignment = 64 : i64} : memref<8x8x32x8xf32>
    linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expand_shape_763 : memref<8x32x8x8xf32>) outs(%alloc_764 : memref<8x8x32x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %collapse_shape_765 = memref.collapse_shape %alloc_764 [[0, 1], [2], [3]] : memref<8x8x32x8xf32> into memref<64x32x8xf32>
    %alloc_766 = memref.alloc() {alignment = 64 : i64} : memref<64x8x32xf32>
    linalg.generic {indexing_maps = [#map19, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapse_shape_765 : memref<64x32x8xf32>) outs(%alloc_766 : memref<64x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %alloc_767 = memref.alloc() {alignment = 64 : i64} : memref<64x8x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_767 : memref<64x8x32xf32>)
    linalg.batch_matmul ins(%alloc_766, %collapse_shape_55 : memref<64x8x32xf32>, memref<64x32x32xf32>) outs(%alloc_767 : memref<64x8x32xf32>)
    %alloc_768 = memref.alloc() {alignment = 64 : i64} : memref<64x32x8xf32>
    linalg.generic {indexing_maps = [#map19, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_767 : memref<64x8x32xf32>) outs(%alloc_768 : memref<64x32x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %alloc_769 = memref.alloc() {alignment = 64 : i64} : memref<64x8x32xf32>
    linalg.generic {indexing_maps = [#map19, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapse_shape_56 : memref<64x32x8xf32>) outs(%alloc_769 : memref<64x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %alloc_770 = memref.alloc() {alignment = 64 : i64} : memref<64x32x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_770 : memref<64x32x32xf32>)
    linalg.batch_matmul ins(%collapse_shape_765, %alloc_769 : memref<64x32x8xf32>, memref<64x8x32xf32>) outs(%alloc_770 : memref<64x32x32xf32>)
    %expand_shape_771 = memref.expand_shape %alloc_768 [[0, 1], [2], [3]] output_shape [8, 8, 32, 8] : memref<64x32x8xf32> into memref<8x8x32x8xf32>
    %expand_shape_772 = memref.expand_shape %alloc_770 [[0, 1], [2], [3]] output_shape [8, 8, 32, 32] : memref<64x32x32xf32> into memref<8x8x32x32xf32>
    %alloc_773 = memref.alloc() {alignment = 64 : i64} : memref<8x8x32x32xf32>
    linalg.generic {indexing_maps = [#map8, #map11, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expand_shape_772, %expand_shape_53 : memref<8x8x32x32xf32>, memref<8x8x32x1xf32>) outs(%alloc_773 : memref<8x8x32x32xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %in_849 : f32
      %4 = arith.divf %cst_8, %3 : f32
      %5 = arith.mulf %in, %4 : f32
      linalg.yield %5 : f32
    }
    %alloc_774 = memref.alloc() {alignment = 64 : i64} : memref<8x8x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_774 : memref<8x8x32xf32>)
    linalg.generic {indexing_maps = [#map8, #map8, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%alloc_773, %alloc_51 : memref<8x8x32x32xf32>, memref<8x8x32x32xf32>) outs(%alloc_774 : memref<8x8x32xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in, %in_849 : f32
      %4 = arith.addf %out, %3 : f32
      linalg.yield %4 : f32
    }
    %alloc_775 = memref.alloc() {alignment = 64 : i64} : memref<8x8x32xf32>
    linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_774 : memref<8x8x32xf32>) outs(%alloc_775 : memref<8x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.negf %in : f32
      linalg.yield %3 : f32
    }
    %expand_shape_776 = memref.expand_shape %alloc_775 [[0], [1], [2, 3]] output_shape [8, 8, 32, 1] : memref<8x8x32xf32> into memref<8x8x32x1xf32>
    %alloc_777 = memref.alloc() {alignment = 64 : i64} : memref<8x8x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_777 : memref<8x8x32xf32>)
    linalg.generic {indexing_maps = [#map8, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%expand_shape_776 : memref<8x8x32x1xf32>) outs(%alloc_777 : memref<8x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %alloc_778 = memref.alloc() {alignment = 64 : i64} : memref<8x8x32x32xf32>
    linalg.generic {indexing_maps = [#map8, #map10, #map10, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expand_shape_772, %alloc_52, %alloc_777, %alloc_51 : memref<8x8x32x32xf32>, memref<8x8x32xf32>, memref<8x8x32xf32>, memref<8x8x32x32xf32>) outs(%alloc_778 : memref<8x8x32x32xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %in_851: f32, %out: f32):
      %3 = arith.divf %in, %in_849 : f32
      %4 = arith.addf %3, %in_850 : f32
      %5 = arith.mulf %4, %in_851 : f32
      linalg.yield %5 : f32
    }
    %alloc_779 = memref.alloc() {alignment = 64 : i64} : memref<8x8x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_779 : memref<8x8x32xf32>)
    linalg.generic {indexing_maps = [#map8, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%alloc_778 : memref<8x8x32x32xf32>) outs(%alloc_779 : memref<8x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.subf %out, %in : f32
      linalg.yield %3 : f32
    }
    %expand_shape_780 = memref.expand_shape %alloc_779 [[0], [1], [2, 3]] output_shape [8, 8, 32, 1] : memref<8x8x32xf32> into memref<8x8x32x1xf32>
    %alloc_781 = memref.alloc() {alignment = 64 : i64} : memref<8x8x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_781 : memref<8x8x32xf32>)
    linalg.generic {indexing_maps = [#map8, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%expand_shape_780 : memref<8x8x32x1xf32>) outs(%alloc_781 : memref<8x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %alloc_782 = memref.alloc() {alignment = 64 : i64} : memref<8x8x32x32xf32>
    linalg.generic {indexing_maps = [#map8, #map8, #map10, #map10, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_778, %alloc_49, %alloc_781, %alloc_50 : memref<8x8x32x32xf32>, memref<8x8x32x32xf32>, memref<8x8x32xf32>, memref<8x8x32xf32>) outs(%alloc_782 : memref<8x8x32x32xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %in_851: f32, %out: f32):
      %3 = arith.divf %in_850, %in_851 : f32
      %4 = arith.cmpf une, %in_849, %cst_0 : f32
      %5 = arith.select %4, %3, %cst_0 : f32
      %6 = arith.addf %in, %5 : f32
      %7 = arith.divf %6, %cst_6 : f32
      linalg.yield %7 : f32
    }
    %collapse_shape_783 = memref.collapse_shape %alloc_782 [[0, 1], [2], [3]] : memref<8x8x32x32xf32> into memref<64x32x32xf32>
    %alloc_784 = memref.alloc() {alignment = 64 : i64} : memref<64x32x32xf32>
    linalg.generic {indexing_maps = [#map19, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapse_shape_783 : memref<64x32x32xf32>) outs(%alloc_784 : memref<64x32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %alloc_785 = memref.alloc() {alignment = 64 : i64} : memref<64x32x8xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_785 : memref<64x32x8xf32>)
    linalg.batch_matmul ins(%alloc_784, %collapse_shape_42 : memref<64x32x32xf32>, memref<64x32x8xf32>) outs(%alloc_785 : memref<64x32x8xf32>)
    %alloc_786 = memref.alloc() {alignment = 64 : i64} : memref<64x8x32xf32>
    linalg.generic {indexing_maps = [#map19, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_785 : memref<64x32x8xf32>) outs(%alloc_786 : memref<64x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %alloc_787 = memref.alloc() {alignment = 64 : i64} : memref<64x32x8xf32>
    linalg.generic {indexing_maps = [#map19, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapse_shape_43 : memref<64x8x32xf32>) outs(%alloc_787 : memref<64x32x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %alloc_788 = memref.alloc() {alignment = 64 : i64} : memref<64x32x8xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_788 : memref<64x32x8xf32>)
    linalg.batch_matmul ins(%collapse_shape_783, %alloc_787 : memref<64x32x32xf32>, memref<64x32x8xf32>) outs(%alloc_788 : memref<64x32x8xf32>)
    %expand_shape_789 = memref.expand_shape %alloc_786 [[0, 1], [2], [3]] output_shape [8, 8, 8, 32] : memref<64x8x32xf32> into memref<8x8x8x32xf32>
    %expand_shape_790 = memref.expand_shape %alloc_788 [[0, 1], [2], [3]] output_shape [8, 8, 32, 8] : memref<64x32x8xf32> into memref<8x8x32x8xf32>
    %alloc_791 = memref.alloc() {alignment = 64 : i64} : memref<8x32x8x8xf32>
    linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expand_shape_771 : memref<8x8x32x8xf32>) outs(%alloc_791 : memref<8x32x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %collapse_shape_792 = memref.collapse_shape %alloc_791 [[0, 1], [2, 3]] : memref<8x32x8x8xf32> into memref<256x64xf32>
    %alloc_793 = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_793 : memref<64xf32>)
    linalg.generic {indexing_maps = [#map12, #map13], iterator_types = ["parallel", "reduction"]} ins(%collapse_shape_792 : memref<256x64xf32>) outs(%alloc_793 : memref<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %expand_shape_794 = memref.expand_shape %alloc_793 [[0, 1]] output_shape [1, 64] : memref<64xf32> into memref<1x64xf32>
    %alloc_795 = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_795 : memref<64xf32>)
    linalg.generic {indexing_maps = [#map12, #map13], iterator_types = ["parallel", "reduction"]} ins(%expand_shape_794 : memref<1x64xf32>) outs(%alloc_795 : memref<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %alloc_796 = memref.alloc() {alignment = 64 : i64} : memref<64x256xf32>
    linalg.generic {indexing_maps = [#map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%collapse_shape_792 : memref<256x64xf32>) outs(%alloc_796 : memref<64x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %alloc_797 = memref.alloc() {alignment = 64 : i64} : memref<64x64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_797 : memref<64x64xf32>)
    linalg.matmul ins(%alloc_796, %collapse_shape_29 : memref<64x256xf32>, memref<256x64xf32>) outs(%alloc_797 : memref<64x64xf32>)
    %alloc_798 = memref.alloc() {alignment = 64 : i64} : memref<64x64xf32>
    linalg.generic {indexing_maps = [#map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg15 : memref<64x64xf32>) outs(%alloc_798 : memref<64x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %alloc_799 = memref.alloc() {alignment = 64 : i64} : memref<256x64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_799 : memref<256x64xf32>)
    linalg.matmul ins(%collapse_shape_792, %alloc_798 : memref<256x64xf32>, memref<64x64xf32>) outs(%alloc_799 : memref<256x64xf32>)
    %expand_shape_800 = memref.expand_shape %alloc_799 [[0, 1], [2]] output_shape [8, 32, 64] : memref<256x64xf32> into memref<8x32x64xf32>
    %alloc_801 = memref.alloc() {alignment = 64 : i64} : memref<8x32x8x8xf32>
    linalg.generic {indexing_maps = [#map20, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expand_shape_789 : memref<8x8x8x32xf32>) outs(%alloc_801 : memref<8x32x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %collapse_shape_802 = memref.collapse_shape %alloc_801 [[0, 1], [2, 3]] : memref<8x32x8x8xf32> into memref<256x64xf32>
    %alloc_803 = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_803 : memref<64xf32>)
    linalg.generic {indexing_maps = [#map12, #map13], iterator_types = ["parallel", "reduction"]} ins(%collapse_shape_802 : memref<256x64xf32>) outs(%alloc_803 : memref<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %expand_shape_804 = memref.expand_shape %alloc_803 [[0, 1]] output_shape [1, 64] : memref<64xf32> into memref<1x64xf32>
    %alloc_805 = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_805 : memref<64xf32>)
    linalg.generic {indexing_maps = [#map12, #map13], iterator_types = ["parallel", "reduction"]} ins(%expand_shape_804 : memref<1x64xf32>) outs(%alloc_805 : memref<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %alloc_806 = memref.alloc() {alignment = 64 : i64} : memref<64x256xf32>
    linalg.generic {indexing_maps = [#map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%collapse_shape_802 : memref<256x64xf32>) outs(%alloc_806 : memref<64x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %alloc_807 = memref.alloc() {alignment = 64 : i64} : memref<64x64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_807 : memref<64x64xf32>)
    linalg.matmul ins(%alloc_806, %collapse_shape_29 : memref<64x256xf32>, memref<256x64xf32>) outs(%alloc_807 : memref<64x64xf32>)
    %alloc_808 = memref.alloc() {alignment = 64 : i64} : memref<64x64xf32>
    linalg.generic {indexing_maps = [#map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg3 : memref<64x64xf32>) outs(%alloc_808 : memref<64x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %alloc_809 = memref.alloc() {alignment = 64 : i64} : memref<256x64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_809 : memref<256x64xf32>)
    linalg.matmul ins(%collapse_shape_802, %alloc_808 : memref<256x64xf32>, memref<64x64xf32>) outs(%alloc_809 : memref<256x64xf32>)
    %expand_shape_810 = memref.expand_shape %alloc_809 [[0, 1], [2]] output_shape [8, 32, 64] : memref<256x64xf32> into memref<8x32x64xf32>
    %alloc_811 = memref.alloc() {alignment = 64 : i64} : memref<8x32x8x8xf32>
    linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expand_shape_790 : memref<8x8x32x8xf32>) outs(%alloc_811 : memref<8x32x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %collapse_shape_812 = memref.collapse_shape %alloc_811 [[0, 1], [2, 3]] : memref<8x32x8x8xf32> into memref<256x64xf32>
    %alloc_813 = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_813 : memref<64xf32>)
    linalg.generic {indexing_maps = [#map12, #map13], iterator_types = ["parallel", "reduction"]} ins(%collapse_shape_812 : memref<256x64xf32>) outs(%alloc_813 : memref<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %expand_shape_814 = memref.expand_shape %alloc_813 [[0, 1]] output_shape [1, 64] : memref<64xf32> into memref<1x64xf32>
    %alloc_815 = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_815 : memref<64xf32>)
    linalg.generic {indexing_maps = [#map12, #map13], iterator_types = ["parallel", "reduction"]} ins(%expand_shape_814 : memref<1x64xf32>) outs(%alloc_815 : memref<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %alloc_816 = memref.alloc() {alignment = 64 : i64} : memref<64x256xf32>
    linalg.generic {indexing_maps = [#map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%collapse_shape_812 : memref<256x64xf32>) outs(%alloc_816 : memref<64x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %alloc_817 = memref.alloc() {alignment = 64 : i64} : memref<64x64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_817 : memref<64x64xf32>)
    linalg.matmul ins(%alloc_816, %collapse_shape_29 : memref<64x256xf32>, memref<256x64xf32>) outs(%alloc_817 : memref<64x64xf32>)
    %alloc_818 = memref.alloc() {alignment = 64 : i64} : memref<64x64xf32>
    linalg.generic {indexing_maps = [#map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg11 : memref<64x64xf32>) outs(%alloc_818 : memref<64x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %alloc_819 = memref.alloc() {alignment = 64 : i64} : memref<256x64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_819 : memref<256x64xf32>)
    linalg.matmul ins(%collapse_shape_812, %alloc_818 : memref<256x64xf32>, memref<64x64xf32>) outs(%alloc_819 : memref<256x64xf32>)
    %expand_shape_820 = memref.expand_shape %alloc_819 [[0, 1], [2]] output_shape [8, 32, 64] : memref<256x64xf32> into memref<8x32x64xf32>
    %alloc_821 = memref.alloc() {alignment = 64 : i64} : memref<8x32x64xf32>
    linalg.generic {indexing_maps = [#map1, #map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expand_shape_800, %expand_shape_810, %expand_shape_820 : memref<8x32x64xf32>, memref<8x32x64xf32>, memref<8x32x64xf32>) outs(%alloc_821 : memref<8x32x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %out: f32):
      %3 = arith.addf %in, %in_849 : f32
      %4 = arith.addf %3, %in_850 : f32
      linalg.yield %4 : f32
    }
    %alloc_822 = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_822 : memref<64xf32>)
    linalg.generic {indexing_maps = [#map17, #map18], iterator_types = ["parallel", "reduction", "reduction"]} ins(%alloc_821 : memref<8x32x64xf32>) outs(%alloc_822 : memref<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %expand_shape_823 = memref.expand_shape %alloc_822 [[0, 1, 2]] output_shape [1, 1, 64] : memref<64xf32> into memref<1x1x64xf32>
    %alloc_824 = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_824 : memref<64xf32>)
    linalg.generic {indexing_maps = [#map17, #map18], iterator_types = ["parallel", "reduction", "reduction"]} ins(%expand_shape_823 : memref<1x1x64xf32>) outs(%alloc_824 : memref<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %alloc_825 = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_825 : memref<64xf32>)
    linalg.generic {indexing_maps = [#map17, #map17, #map18], iterator_types = ["parallel", "reduction", "reduction"]} ins(%alloc_27, %alloc_821 : memref<8x32x64xf32>, memref<8x32x64xf32>) outs(%alloc_825 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in, %in_849 : f32
      %4 = arith.addf %out, %3 : f32
      linalg.yield %4 : f32
    }
    %expand_shape_826 = memref.expand_shape %alloc_825 [[0, 1, 2]] output_shape [1, 1, 64] : memref<64xf32> into memref<1x1x64xf32>
    %alloc_827 = memref.alloc() {alignment = 64 : i64} : memref<8x32x64xf32>
    linalg.generic {indexing_maps = [#map1, #map4, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_821, %arg5 : memref<8x32x64xf32>, memref<64xf32>) outs(%alloc_827 : memref<8x32x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in, %in_849 : f32
      linalg.yield %3 : f32
    }
    %alloc_828 = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_828 : memref<64xf32>)
    linalg.generic {indexing_maps = [#map17, #map18], iterator_types = ["parallel", "reduction", "reduction"]} ins(%expand_shape_826 : memref<1x1x64xf32>) outs(%alloc_828 : memref<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %alloc_829 = memref.alloc() {alignment = 64 : i64} : memref<8x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_829 : memref<8x32xf32>)
    linalg.generic {indexing_maps = [#map1, #map1, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%alloc_22, %alloc_827 : memref<8x32x64xf32>, memref<8x32x64xf32>) outs(%alloc_829 : memref<8x32xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in, %in_849 : f32
      %4 = arith.addf %out, %3 : f32
      linalg.yield %4 : f32
    }
    %expand_shape_830 = memref.expand_shape %alloc_829 [[0], [1, 2]] output_shape [8, 32, 1] : memref<8x32xf32> into memref<8x32x1xf32>
    %alloc_831 = memref.alloc() {alignment = 64 : i64} : memref<8x32x64xf32>
    linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_827, %alloc_26 : memref<8x32x64xf32>, memref<8x32x1xf32>) outs(%alloc_831 : memref<8x32x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in, %in_849 : f32
      linalg.yield %3 : f32
    }
    %alloc_832 = memref.alloc() {alignment = 64 : i64} : memref<8x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_832 : memref<8x32xf32>)
    linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%alloc_831 : memref<8x32x64xf32>) outs(%alloc_832 : memref<8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.subf %out, %in : f32
      linalg.yield %3 : f32
    }
    %expand_shape_833 = memref.expand_shape %alloc_832 [[0], [1, 2]] output_shape [8, 32, 1] : memref<8x32xf32> into memref<8x32x1xf32>
    %alloc_834 = memref.alloc() {alignment = 64 : i64} : memref<8x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_834 : memref<8x32xf32>)
    linalg.generic {indexing_maps = [#map1, #map1, #map1, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%expand_shape_830, %alloc_26, %alloc_25 : memref<8x32x1xf32>, memref<8x32x1xf32>, memref<8x32x1xf32>) outs(%alloc_834 : memref<8x32xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %out: f32):
      %3 = arith.divf %in_849, %in_850 : f32
      %4 = arith.mulf %3, %cst_5 : f32
      %5 = arith.mulf %in, %4 : f32
      %6 = arith.divf %5, %cst_2 : f32
      %7 = arith.addf %out, %6 : f32
      linalg.yield %7 : f32
    }
    %alloc_835 = memref.alloc() {alignment = 64 : i64} : memref<8x32x64xf32>
    linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_834, %alloc_22 : memref<8x32xf32>, memref<8x32x64xf32>) outs(%alloc_835 : memref<8x32x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_3 : f32
      %4 = arith.mulf %in, %3 : f32
      linalg.yield %4 : f32
    }
    %alloc_836 = memref.alloc() {alignment = 64 : i64} : memref<8x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_836 : memref<8x32xf32>)
    linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%alloc_835 : memref<8x32x64xf32>) outs(%alloc_836 : memref<8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.subf %out, %in : f32
      linalg.yield %3 : f32
    }
    %expand_shape_837 = memref.expand_shape %alloc_836 [[0], [1, 2]] output_shape [8, 32, 1] : memref<8x32xf32> into memref<8x32x1xf32>
    %alloc_838 = memref.alloc() {alignment = 64 : i64} : memref<8x32xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_838 : memref<8x32xf32>)
    linalg.generic {indexing_maps = [#map1, #map1, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%expand_shape_833, %expand_shape_837 : memref<8x32x1xf32>, memref<8x32x1xf32>) outs(%alloc_838 : memref<8x32xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.addf %in, %in_849 : f32
      %4 = arith.divf %3, %cst_2 : f32
      %5 = arith.addf %out, %4 : f32
      linalg.yield %5 : f32
    }
    %alloc_839 = memref.alloc() {alignment = 64 : i64} : memref<8x32x64xf32>
    linalg.generic {indexing_maps = [#map1, #map1, #map1, #map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_754, %alloc_831, %alloc_835, %alloc_838 : memref<8x32x64xf32>, memref<8x32x64xf32>, memref<8x32x64xf32>, memref<8x32xf32>) outs(%alloc_839 : memref<8x32x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %in_851: f32, %out: f32):
      %3 = arith.addf %in, %in_849 : f32
      %4 = arith.addf %3, %in_850 : f32
      %5 = arith.addf %4, %in_851 : f32
      linalg.yield %5 : f32
    }
    %alloc_840 = memref.alloc() {alignment = 64 : i64} : memref<32x64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_840 : memref<32x64xf32>)
    linalg.generic {indexing_maps = [#map21, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%alloc_839 : memref<8x32x64xf32>) outs(%alloc_840 : memref<32x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %expand_shape_841 = memref.expand_shape %alloc_840 [[0, 1], [2]] output_shape [1, 32, 64] : memref<32x64xf32> into memref<1x32x64xf32>
    %alloc_842 = memref.alloc() {alignment = 64 : i64} : memref<32x64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_842 : memref<32x64xf32>)
    linalg.generic {indexing_maps = [#map21, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%expand_shape_841 : memref<1x32x64xf32>) outs(%alloc_842 : memref<32x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    }
    %alloc_843 = memref.alloc() {alignment = 64 : i64} : memref<64x64xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_843 : memref<64x64xf32>)
    %subview_844 = memref.subview %alloc_843[0, 0] [32, 64] [1, 1] : memref<64x64xf32> to memref<32x64xf32, strided<[64, 1]>>
    memref.copy %alloc_842, %subview_844 : memref<32x64xf32> to memref<32x64xf32, strided<[64, 1]>>
    %collapse_shape_845 = memref.collapse_shape %alloc_839 [[0, 1], [2]] : memref<8x32x64xf32> into memref<256x64xf32>
    %alloc_846 = memref.alloc() {alignment = 64 : i64} : memref<64x256xf32>
    linalg.generic {indexing_maps = [#map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%collapse_shape_845 : memref<256x64xf32>) outs(%alloc_846 : memref<64x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    %alloc_847 = memref.alloc() {alignment = 64 : i64} : memref<64x512xf32>
    linalg.fill ins(%cst_0 : f32) outs(%alloc_847 : memref<64x512xf32>)
    linalg.matmul ins(%alloc_846, %collapse_shape : memref<64x256xf32>, memref<256x512xf32>) outs(%alloc_847 : memref<64x512xf32>)
    %alloc_848 = memref.alloc() {alignment = 64 : i64} : memref<512x64xf32>
    linalg.generic {indexing_maps = [#map5, #map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%alloc_332, %alloc_847 : memref<512x64xf32>, memref<64x512xf32>) outs(%alloc_848 : memref<512x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.addf %in, %in_849 : f32
      linalg.yield %3 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg68, %alloc_721 : memref<64xf32>, memref<64xf32>) outs(%arg274 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_14 : f32
      %4 = arith.mulf %in, %cst_13 : f32
      %5 = arith.addf %4, %3 : f32
      linalg.yield %5 : f32
    }
    linalg.generic {indexing_maps = [#map5, #map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg69, %alloc_723 : memref<256x64xf32>, memref<64x256xf32>) outs(%arg275 : memref<256x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_14 : f32
      %4 = arith.mulf %in, %cst_13 : f32
      %5 = arith.addf %4, %3 : f32
      linalg.yield %5 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg70, %alloc_805 : memref<64xf32>, memref<64xf32>) outs(%arg276 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_14 : f32
      %4 = arith.mulf %in, %cst_13 : f32
      %5 = arith.addf %4, %3 : f32
      linalg.yield %5 : f32
    }
    linalg.generic {indexing_maps = [#map5, #map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg71, %alloc_807 : memref<64x64xf32>, memref<64x64xf32>) outs(%arg277 : memref<64x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_14 : f32
      %4 = arith.mulf %in, %cst_13 : f32
      %5 = arith.addf %4, %3 : f32
      linalg.yield %5 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg72, %alloc_824 : memref<64xf32>, memref<64xf32>) outs(%arg278 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_14 : f32
      %4 = arith.mulf %in, %cst_13 : f32
      %5 = arith.addf %4, %3 : f32
      linalg.yield %5 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg73, %alloc_828 : memref<64xf32>, memref<64xf32>) outs(%arg279 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_14 : f32
      %4 = arith.mulf %in, %cst_13 : f32
      %5 = arith.addf %4, %3 : f32
      linalg.yield %5 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg74, %alloc_739 : memref<64xf32>, memref<64xf32>) outs(%arg280 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_14 : f32
      %4 = arith.mulf %in, %cst_13 : f32
      %5 = arith.addf %4, %3 : f32
      linalg.yield %5 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg75, %alloc_743 : memref<64xf32>, memref<64xf32>) outs(%arg281 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_14 : f32
      %4 = arith.mulf %in, %cst_13 : f32
      %5 = arith.addf %4, %3 : f32
      linalg.yield %5 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg76, %alloc_758 : memref<64xf32>, memref<64xf32>) outs(%arg282 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_14 : f32
      %4 = arith.mulf %in, %cst_13 : f32
      %5 = arith.addf %4, %3 : f32
      linalg.yield %5 : f32
    }
    linalg.generic {indexing_maps = [#map5, #map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg77, %alloc_760 : memref<64x64xf32>, memref<64x64xf32>) outs(%arg283 : memref<64x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_14 : f32
      %4 = arith.mulf %in, %cst_13 : f32
      %5 = arith.addf %4, %3 : f32
      linalg.yield %5 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg78, %alloc_815 : memref<64xf32>, memref<64xf32>) outs(%arg284 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_14 : f32
      %4 = arith.mulf %in, %cst_13 : f32
      %5 = arith.addf %4, %3 : f32
      linalg.yield %5 : f32
    }
    linalg.generic {indexing_maps = [#map5, #map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg79, %alloc_817 : memref<64x64xf32>, memref<64x64xf32>) outs(%arg285 : memref<64x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_14 : f32
      %4 = arith.mulf %in, %cst_13 : f32
      %5 = arith.addf %4, %3 : f32
      linalg.yield %5 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg80, %alloc_731 : memref<256xf32>, memref<256xf32>) outs(%arg286 : memref<256xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_14 : f32
      %4 = arith.mulf %in, %cst_13 : f32
      %5 = arith.addf %4, %3 : f32
      linalg.yield %5 : f32
    }
    linalg.generic {indexing_maps = [#map5, #map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg81, %alloc_733 : memref<64x256xf32>, memref<256x64xf32>) outs(%arg287 : memref<64x256xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_14 : f32
      %4 = arith.mulf %in, %cst_13 : f32
      %5 = arith.addf %4, %3 : f32
      linalg.yield %5 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg82, %alloc_795 : memref<64xf32>, memref<64xf32>) outs(%arg288 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_14 : f32
      %4 = arith.mulf %in, %cst_13 : f32
      %5 = arith.addf %4, %3 : f32
      linalg.yield %5 : f32
    }
    linalg.generic {indexing_maps = [#map5, #map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg83, %alloc_797 : memref<64x64xf32>, memref<64x64xf32>) outs(%arg289 : memref<64x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_14 : f32
      %4 = arith.mulf %in, %cst_13 : f32
      %5 = arith.addf %4, %3 : f32
      linalg.yield %5 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg84, %alloc_599 : memref<64xf32>, memref<64xf32>) outs(%arg290 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_14 : f32
      %4 = arith.mulf %in, %cst_13 : f32
      %5 = arith.addf %4, %3 : f32
      linalg.yield %5 : f32
    }
    linalg.generic {indexing_maps = [#map5, #map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg85, %alloc_601 : memref<256x64xf32>, memref<64x256xf32>) outs(%arg291 : memref<256x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_14 : f32
      %4 = arith.mulf %in, %cst_13 : f32
      %5 = arith.addf %4, %3 : f32
      linalg.yield %5 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg86, %alloc_683 : memref<64xf32>, memref<64xf32>) outs(%arg292 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_14 : f32
      %4 = arith.mulf %in, %cst_13 : f32
      %5 = arith.addf %4, %3 : f32
      linalg.yield %5 : f32
    }
    linalg.generic {indexing_maps = [#map5, #map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg87, %alloc_685 : memref<64x64xf32>, memref<64x64xf32>) outs(%arg293 : memref<64x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_14 : f32
      %4 = arith.mulf %in, %cst_13 : f32
      %5 = arith.addf %4, %3 : f32
      linalg.yield %5 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg88, %alloc_702 : memref<64xf32>, memref<64xf32>) outs(%arg294 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_14 : f32
      %4 = arith.mulf %in, %cst_13 : f32
      %5 = arith.addf %4, %3 : f32
      linalg.yield %5 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg89, %alloc_706 : memref<64xf32>, memref<64xf32>) outs(%arg295 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_14 : f32
      %4 = arith.mulf %in, %cst_13 : f32
      %5 = arith.addf %4, %3 : f32
      linalg.yield %5 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg90, %alloc_617 : memref<64xf32>, memref<64xf32>) outs(%arg296 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_14 : f32
      %4 = arith.mulf %in, %cst_13 : f32
      %5 = arith.addf %4, %3 : f32
      linalg.yield %5 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg91, %alloc_621 : memref<64xf32>, memref<64xf32>) outs(%arg297 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_14 : f32
      %4 = arith.mulf %in, %cst_13 : f32
      %5 = arith.addf %4, %3 : f32
      linalg.yield %5 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg92, %alloc_636 : memref<64xf32>, memref<64xf32>) outs(%arg298 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_14 : f32
      %4 = arith.mulf %in, %cst_13 : f32
      %5 = arith.addf %4, %3 : f32
      linalg.yield %5 : f32
    }
    linalg.generic {indexing_maps = [#map5, #map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg93, %alloc_638 : memref<64x64xf32>, memref<64x64xf32>) outs(%arg299 : memref<64x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_14 : f32
      %4 = arith.mulf %in, %cst_13 : f32
      %5 = arith.addf %4, %3 : f32
      linalg.yield %5 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg94, %alloc_693 : memref<64xf32>, memref<64xf32>) outs(%arg300 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_14 : f32
      %4 = arith.mulf %in, %cst_13 : f32
      %5 = arith.addf %4, %3 : f32
      linalg.yield %5 : f32
    }
    linalg.generic {indexing_maps = [#map5, #map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg95, %alloc_695 : memref<64x64xf32>, memref<64x64xf32>) outs(%arg301 : memref<64x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_14 : f32
      %4 = arith.mulf %in, %cst_13 : f32
      %5 = arith.addf %4, %3 : f32
      linalg.yield %5 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg96, %alloc_609 : memref<256xf32>, memref<256xf32>) outs(%arg302 : memref<256xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_14 : f32
      %4 = arith.mulf %in, %cst_13 : f32
      %5 = arith.addf %4, %3 : f32
      linalg.yield %5 : f32
    }
    linalg.generic {indexing_maps = [#map5, #map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg97, %alloc_611 : memref<64x256xf32>, memref<256x64xf32>) outs(%arg303 : memref<64x256xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_14 : f32
      %4 = arith.mulf %in, %cst_13 : f32
      %5 = arith.addf %4, %3 : f32
      linalg.yield %5 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg98, %alloc_673 : memref<64xf32>, memref<64xf32>) outs(%arg304 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_14 : f32
      %4 = arith.mulf %in, %cst_13 : f32
      %5 = arith.addf %4, %3 : f32
      linalg.yield %5 : f32
    }
    linalg.generic {indexing_maps = [#map5, #map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg99, %alloc_675 : memref<64x64xf32>, memref<64x64xf32>) outs(%arg305 : memref<64x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_14 : f32
      %4 = arith.mulf %in, %cst_13 : f32
      %5 = arith.addf %4, %3 : f32
      linalg.yield %5 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg100, %alloc_477 : memref<64xf32>, memref<64xf32>) outs(%arg306 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_14 : f32
      %4 = arith.mulf %in, %cst_13 : f32
      %5 = arith.addf %4, %3 : f32
      linalg.yield %5 : f32
    }
    linalg.generic {indexing_maps = [#map5, #map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg101, %alloc_479 : memref<256x64xf32>, memref<64x256xf32>) outs(%arg307 : memref<256x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_14 : f32
      %4 = arith.mulf %in, %cst_13 : f32
      %5 = arith.addf %4, %3 : f32
      linalg.yield %5 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg102, %alloc_561 : memref<64xf32>, memref<64xf32>) outs(%arg308 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_14 : f32
      %4 = arith.mulf %in, %cst_13 : f32
      %5 = arith.addf %4, %3 : f32
      linalg.yield %5 : f32
    }
    linalg.generic {indexing_maps = [#map5, #map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg103, %alloc_563 : memref<64x64xf32>, memref<64x64xf32>) outs(%arg309 : memref<64x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_14 : f32
      %4 = arith.mulf %in, %cst_13 : f32
      %5 = arith.addf %4, %3 : f32
      linalg.yield %5 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg104, %alloc_580 : memref<64xf32>, memref<64xf32>) outs(%arg310 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_14 : f32
      %4 = arith.mulf %in, %cst_13 : f32
      %5 = arith.addf %4, %3 : f32
      linalg.yield %5 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg105, %alloc_584 : memref<64xf32>, memref<64xf32>) outs(%arg311 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_14 : f32
      %4 = arith.mulf %in, %cst_13 : f32
      %5 = arith.addf %4, %3 : f32
      linalg.yield %5 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg106, %alloc_495 : memref<64xf32>, memref<64xf32>) outs(%arg312 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_14 : f32
      %4 = arith.mulf %in, %cst_13 : f32
      %5 = arith.addf %4, %3 : f32
      linalg.yield %5 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg107, %alloc_499 : memref<64xf32>, memref<64xf32>) outs(%arg313 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_14 : f32
      %4 = arith.mulf %in, %cst_13 : f32
      %5 = arith.addf %4, %3 : f32
      linalg.yield %5 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg108, %alloc_514 : memref<64xf32>, memref<64xf32>) outs(%arg314 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_14 : f32
      %4 = arith.mulf %in, %cst_13 : f32
      %5 = arith.addf %4, %3 : f32
      linalg.yield %5 : f32
    }
    linalg.generic {indexing_maps = [#map5, #map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg109, %alloc_516 : memref<64x64xf32>, memref<64x64xf32>) outs(%arg315 : memref<64x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_14 : f32
      %4 = arith.mulf %in, %cst_13 : f32
      %5 = arith.addf %4, %3 : f32
      linalg.yield %5 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg110, %alloc_571 : memref<64xf32>, memref<64xf32>) outs(%arg316 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_14 : f32
      %4 = arith.mulf %in, %cst_13 : f32
      %5 = arith.addf %4, %3 : f32
      linalg.yield %5 : f32
    }
    linalg.generic {indexing_maps = [#map5, #map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg111, %alloc_573 : memref<64x64xf32>, memref<64x64xf32>) outs(%arg317 : memref<64x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_14 : f32
      %4 = arith.mulf %in, %cst_13 : f32
      %5 = arith.addf %4, %3 : f32
      linalg.yield %5 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg112, %alloc_487 : memref<256xf32>, memref<256xf32>) outs(%arg318 : memref<256xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_14 : f32
      %4 = arith.mulf %in, %cst_13 : f32
      %5 = arith.addf %4, %3 : f32
      linalg.yield %5 : f32
    }
    linalg.generic {indexing_maps = [#map5, #map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg113, %alloc_489 : memref<64x256xf32>, memref<256x64xf32>) outs(%arg319 : memref<64x256xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_14 : f32
      %4 = arith.mulf %in, %cst_13 : f32
      %5 = arith.addf %4, %3 : f32
      linalg.yield %5 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg114, %alloc_551 : memref<64xf32>, memref<64xf32>) outs(%arg320 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_14 : f32
      %4 = arith.mulf %in, %cst_13 : f32
      %5 = arith.addf %4, %3 : f32
      linalg.yield %5 : f32
    }
    linalg.generic {indexing_maps = [#map5, #map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg115, %alloc_553 : memref<64x64xf32>, memref<64x64xf32>) outs(%arg321 : memref<64x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_14 : f32
      %4 = arith.mulf %in, %cst_13 : f32
      %5 = arith.addf %4, %3 : f32
      linalg.yield %5 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg116, %alloc_355 : memref<64xf32>, memref<64xf32>) outs(%arg322 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_14 : f32
      %4 = arith.mulf %in, %cst_13 : f32
      %5 = arith.addf %4, %3 : f32
      linalg.yield %5 : f32
    }
    linalg.generic {indexing_maps = [#map5, #map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg117, %alloc_357 : memref<256x64xf32>, memref<64x256xf32>) outs(%arg323 : memref<256x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_14 : f32
      %4 = arith.mulf %in, %cst_13 : f32
      %5 = arith.addf %4, %3 : f32
      linalg.yield %5 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg118, %alloc_439 : memref<64xf32>, memref<64xf32>) outs(%arg324 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_14 : f32
      %4 = arith.mulf %in, %cst_13 : f32
      %5 = arith.addf %4, %3 : f32
      linalg.yield %5 : f32
    }
    linalg.generic {indexing_maps = [#map5, #map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg119, %alloc_441 : memref<64x64xf32>, memref<64x64xf32>) outs(%arg325 : memref<64x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_14 : f32
      %4 = arith.mulf %in, %cst_13 : f32
      %5 = arith.addf %4, %3 : f32
      linalg.yield %5 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg120, %alloc_458 : memref<64xf32>, memref<64xf32>) outs(%arg326 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_14 : f32
      %4 = arith.mulf %in, %cst_13 : f32
      %5 = arith.addf %4, %3 : f32
      linalg.yield %5 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg121, %alloc_462 : memref<64xf32>, memref<64xf32>) outs(%arg327 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_14 : f32
      %4 = arith.mulf %in, %cst_13 : f32
      %5 = arith.addf %4, %3 : f32
      linalg.yield %5 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg122, %alloc_373 : memref<64xf32>, memref<64xf32>) outs(%arg328 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_14 : f32
      %4 = arith.mulf %in, %cst_13 : f32
      %5 = arith.addf %4, %3 : f32
      linalg.yield %5 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg123, %alloc_377 : memref<64xf32>, memref<64xf32>) outs(%arg329 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_14 : f32
      %4 = arith.mulf %in, %cst_13 : f32
      %5 = arith.addf %4, %3 : f32
      linalg.yield %5 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg124, %alloc_392 : memref<64xf32>, memref<64xf32>) outs(%arg330 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_14 : f32
      %4 = arith.mulf %in, %cst_13 : f32
      %5 = arith.addf %4, %3 : f32
      linalg.yield %5 : f32
    }
    linalg.generic {indexing_maps = [#map5, #map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg125, %alloc_394 : memref<64x64xf32>, memref<64x64xf32>) outs(%arg331 : memref<64x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_14 : f32
      %4 = arith.mulf %in, %cst_13 : f32
      %5 = arith.addf %4, %3 : f32
      linalg.yield %5 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg126, %alloc_449 : memref<64xf32>, memref<64xf32>) outs(%arg332 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_14 : f32
      %4 = arith.mulf %in, %cst_13 : f32
      %5 = arith.addf %4, %3 : f32
      linalg.yield %5 : f32
    }
    linalg.generic {indexing_maps = [#map5, #map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg127, %alloc_451 : memref<64x64xf32>, memref<64x64xf32>) outs(%arg333 : memref<64x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_14 : f32
      %4 = arith.mulf %in, %cst_13 : f32
      %5 = arith.addf %4, %3 : f32
      linalg.yield %5 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg128, %alloc_365 : memref<256xf32>, memref<256xf32>) outs(%arg334 : memref<256xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_14 : f32
      %4 = arith.mulf %in, %cst_13 : f32
      %5 = arith.addf %4, %3 : f32
      linalg.yield %5 : f32
    }
    linalg.generic {indexing_maps = [#map5, #map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg129, %alloc_367 : memref<64x256xf32>, memref<256x64xf32>) outs(%arg335 : memref<64x256xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_14 : f32
      %4 = arith.mulf %in, %cst_13 : f32
      %5 = arith.addf %4, %3 : f32
      linalg.yield %5 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg130, %alloc_429 : memref<64xf32>, memref<64xf32>) outs(%arg336 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_14 : f32
      %4 = arith.mulf %in, %cst_13 : f32
      %5 = arith.addf %4, %3 : f32
      linalg.yield %5 : f32
    }
    linalg.generic {indexing_maps = [#map5, #map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg131, %alloc_431 : memref<64x64xf32>, memref<64x64xf32>) outs(%arg337 : memref<64x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_14 : f32
      %4 = arith.mulf %in, %cst_13 : f32
      %5 = arith.addf %4, %3 : f32
      linalg.yield %5 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg132, %alloc_336 : memref<64xf32>, memref<64xf32>) outs(%arg338 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_14 : f32
      %4 = arith.mulf %in, %cst_13 : f32
      %5 = arith.addf %4, %3 : f32
      linalg.yield %5 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg133, %alloc_340 : memref<64xf32>, memref<64xf32>) outs(%arg339 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_14 : f32
      %4 = arith.mulf %in, %cst_13 : f32
      %5 = arith.addf %4, %3 : f32
      linalg.yield %5 : f32
    }
    linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg134, %alloc_843 : memref<64x64xf32>, memref<64x64xf32>) outs(%arg340 : memref<64x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_14 : f32
      %4 = arith.mulf %in, %cst_13 : f32
      %5 = arith.addf %4, %3 : f32
      linalg.yield %5 : f32
    }
    linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg135, %alloc_848 : memref<512x64xf32>, memref<512x64xf32>) outs(%arg341 : memref<512x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_14 : f32
      %4 = arith.mulf %in, %cst_13 : f32
      %5 = arith.addf %4, %3 : f32
      linalg.yield %5 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg136, %alloc_721 : memref<64xf32>, memref<64xf32>) outs(%arg342 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_16 : f32
      %4 = arith.mulf %3, %in_849 : f32
      %5 = arith.mulf %in, %cst_15 : f32
      %6 = arith.addf %5, %4 : f32
      linalg.yield %6 : f32
    }
    linalg.generic {indexing_maps = [#map5, #map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg137, %alloc_723 : memref<256x64xf32>, memref<64x256xf32>) outs(%arg343 : memref<256x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_16 : f32
      %4 = arith.mulf %3, %in_849 : f32
      %5 = arith.mulf %in, %cst_15 : f32
      %6 = arith.addf %5, %4 : f32
      linalg.yield %6 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg138, %alloc_805 : memref<64xf32>, memref<64xf32>) outs(%arg344 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_16 : f32
      %4 = arith.mulf %3, %in_849 : f32
      %5 = arith.mulf %in, %cst_15 : f32
      %6 = arith.addf %5, %4 : f32
      linalg.yield %6 : f32
    }
    linalg.generic {indexing_maps = [#map5, #map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg139, %alloc_807 : memref<64x64xf32>, memref<64x64xf32>) outs(%arg345 : memref<64x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_16 : f32
      %4 = arith.mulf %3, %in_849 : f32
      %5 = arith.mulf %in, %cst_15 : f32
      %6 = arith.addf %5, %4 : f32
      linalg.yield %6 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg140, %alloc_824 : memref<64xf32>, memref<64xf32>) outs(%arg346 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_16 : f32
      %4 = arith.mulf %3, %in_849 : f32
      %5 = arith.mulf %in, %cst_15 : f32
      %6 = arith.addf %5, %4 : f32
      linalg.yield %6 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg141, %alloc_828 : memref<64xf32>, memref<64xf32>) outs(%arg347 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_16 : f32
      %4 = arith.mulf %3, %in_849 : f32
      %5 = arith.mulf %in, %cst_15 : f32
      %6 = arith.addf %5, %4 : f32
      linalg.yield %6 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg142, %alloc_739 : memref<64xf32>, memref<64xf32>) outs(%arg348 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_16 : f32
      %4 = arith.mulf %3, %in_849 : f32
      %5 = arith.mulf %in, %cst_15 : f32
      %6 = arith.addf %5, %4 : f32
      linalg.yield %6 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg143, %alloc_743 : memref<64xf32>, memref<64xf32>) outs(%arg349 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_16 : f32
      %4 = arith.mulf %3, %in_849 : f32
      %5 = arith.mulf %in, %cst_15 : f32
      %6 = arith.addf %5, %4 : f32
      linalg.yield %6 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg144, %alloc_758 : memref<64xf32>, memref<64xf32>) outs(%arg350 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_16 : f32
      %4 = arith.mulf %3, %in_849 : f32
      %5 = arith.mulf %in, %cst_15 : f32
      %6 = arith.addf %5, %4 : f32
      linalg.yield %6 : f32
    }
    linalg.generic {indexing_maps = [#map5, #map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg145, %alloc_760 : memref<64x64xf32>, memref<64x64xf32>) outs(%arg351 : memref<64x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_16 : f32
      %4 = arith.mulf %3, %in_849 : f32
      %5 = arith.mulf %in, %cst_15 : f32
      %6 = arith.addf %5, %4 : f32
      linalg.yield %6 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg146, %alloc_815 : memref<64xf32>, memref<64xf32>) outs(%arg352 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_16 : f32
      %4 = arith.mulf %3, %in_849 : f32
      %5 = arith.mulf %in, %cst_15 : f32
      %6 = arith.addf %5, %4 : f32
      linalg.yield %6 : f32
    }
    linalg.generic {indexing_maps = [#map5, #map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg147, %alloc_817 : memref<64x64xf32>, memref<64x64xf32>) outs(%arg353 : memref<64x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_16 : f32
      %4 = arith.mulf %3, %in_849 : f32
      %5 = arith.mulf %in, %cst_15 : f32
      %6 = arith.addf %5, %4 : f32
      linalg.yield %6 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg148, %alloc_731 : memref<256xf32>, memref<256xf32>) outs(%arg354 : memref<256xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_16 : f32
      %4 = arith.mulf %3, %in_849 : f32
      %5 = arith.mulf %in, %cst_15 : f32
      %6 = arith.addf %5, %4 : f32
      linalg.yield %6 : f32
    }
    linalg.generic {indexing_maps = [#map5, #map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg149, %alloc_733 : memref<64x256xf32>, memref<256x64xf32>) outs(%arg355 : memref<64x256xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_16 : f32
      %4 = arith.mulf %3, %in_849 : f32
      %5 = arith.mulf %in, %cst_15 : f32
      %6 = arith.addf %5, %4 : f32
      linalg.yield %6 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg150, %alloc_795 : memref<64xf32>, memref<64xf32>) outs(%arg356 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_16 : f32
      %4 = arith.mulf %3, %in_849 : f32
      %5 = arith.mulf %in, %cst_15 : f32
      %6 = arith.addf %5, %4 : f32
      linalg.yield %6 : f32
    }
    linalg.generic {indexing_maps = [#map5, #map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg151, %alloc_797 : memref<64x64xf32>, memref<64x64xf32>) outs(%arg357 : memref<64x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_16 : f32
      %4 = arith.mulf %3, %in_849 : f32
      %5 = arith.mulf %in, %cst_15 : f32
      %6 = arith.addf %5, %4 : f32
      linalg.yield %6 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg152, %alloc_599 : memref<64xf32>, memref<64xf32>) outs(%arg358 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_16 : f32
      %4 = arith.mulf %3, %in_849 : f32
      %5 = arith.mulf %in, %cst_15 : f32
      %6 = arith.addf %5, %4 : f32
      linalg.yield %6 : f32
    }
    linalg.generic {indexing_maps = [#map5, #map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg153, %alloc_601 : memref<256x64xf32>, memref<64x256xf32>) outs(%arg359 : memref<256x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_16 : f32
      %4 = arith.mulf %3, %in_849 : f32
      %5 = arith.mulf %in, %cst_15 : f32
      %6 = arith.addf %5, %4 : f32
      linalg.yield %6 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg154, %alloc_683 : memref<64xf32>, memref<64xf32>) outs(%arg360 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_16 : f32
      %4 = arith.mulf %3, %in_849 : f32
      %5 = arith.mulf %in, %cst_15 : f32
      %6 = arith.addf %5, %4 : f32
      linalg.yield %6 : f32
    }
    linalg.generic {indexing_maps = [#map5, #map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg155, %alloc_685 : memref<64x64xf32>, memref<64x64xf32>) outs(%arg361 : memref<64x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_16 : f32
      %4 = arith.mulf %3, %in_849 : f32
      %5 = arith.mulf %in, %cst_15 : f32
      %6 = arith.addf %5, %4 : f32
      linalg.yield %6 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg156, %alloc_702 : memref<64xf32>, memref<64xf32>) outs(%arg362 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_16 : f32
      %4 = arith.mulf %3, %in_849 : f32
      %5 = arith.mulf %in, %cst_15 : f32
      %6 = arith.addf %5, %4 : f32
      linalg.yield %6 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg157, %alloc_706 : memref<64xf32>, memref<64xf32>) outs(%arg363 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_16 : f32
      %4 = arith.mulf %3, %in_849 : f32
      %5 = arith.mulf %in, %cst_15 : f32
      %6 = arith.addf %5, %4 : f32
      linalg.yield %6 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg158, %alloc_617 : memref<64xf32>, memref<64xf32>) outs(%arg364 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_16 : f32
      %4 = arith.mulf %3, %in_849 : f32
      %5 = arith.mulf %in, %cst_15 : f32
      %6 = arith.addf %5, %4 : f32
      linalg.yield %6 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg159, %alloc_621 : memref<64xf32>, memref<64xf32>) outs(%arg365 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_16 : f32
      %4 = arith.mulf %3, %in_849 : f32
      %5 = arith.mulf %in, %cst_15 : f32
      %6 = arith.addf %5, %4 : f32
      linalg.yield %6 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg160, %alloc_636 : memref<64xf32>, memref<64xf32>) outs(%arg366 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_16 : f32
      %4 = arith.mulf %3, %in_849 : f32
      %5 = arith.mulf %in, %cst_15 : f32
      %6 = arith.addf %5, %4 : f32
      linalg.yield %6 : f32
    }
    linalg.generic {indexing_maps = [#map5, #map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg161, %alloc_638 : memref<64x64xf32>, memref<64x64xf32>) outs(%arg367 : memref<64x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_16 : f32
      %4 = arith.mulf %3, %in_849 : f32
      %5 = arith.mulf %in, %cst_15 : f32
      %6 = arith.addf %5, %4 : f32
      linalg.yield %6 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg162, %alloc_693 : memref<64xf32>, memref<64xf32>) outs(%arg368 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_16 : f32
      %4 = arith.mulf %3, %in_849 : f32
      %5 = arith.mulf %in, %cst_15 : f32
      %6 = arith.addf %5, %4 : f32
      linalg.yield %6 : f32
    }
    linalg.generic {indexing_maps = [#map5, #map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg163, %alloc_695 : memref<64x64xf32>, memref<64x64xf32>) outs(%arg369 : memref<64x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_16 : f32
      %4 = arith.mulf %3, %in_849 : f32
      %5 = arith.mulf %in, %cst_15 : f32
      %6 = arith.addf %5, %4 : f32
      linalg.yield %6 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg164, %alloc_609 : memref<256xf32>, memref<256xf32>) outs(%arg370 : memref<256xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_16 : f32
      %4 = arith.mulf %3, %in_849 : f32
      %5 = arith.mulf %in, %cst_15 : f32
      %6 = arith.addf %5, %4 : f32
      linalg.yield %6 : f32
    }
    linalg.generic {indexing_maps = [#map5, #map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg165, %alloc_611 : memref<64x256xf32>, memref<256x64xf32>) outs(%arg371 : memref<64x256xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_16 : f32
      %4 = arith.mulf %3, %in_849 : f32
      %5 = arith.mulf %in, %cst_15 : f32
      %6 = arith.addf %5, %4 : f32
      linalg.yield %6 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg166, %alloc_673 : memref<64xf32>, memref<64xf32>) outs(%arg372 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_16 : f32
      %4 = arith.mulf %3, %in_849 : f32
      %5 = arith.mulf %in, %cst_15 : f32
      %6 = arith.addf %5, %4 : f32
      linalg.yield %6 : f32
    }
    linalg.generic {indexing_maps = [#map5, #map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg167, %alloc_675 : memref<64x64xf32>, memref<64x64xf32>) outs(%arg373 : memref<64x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_16 : f32
      %4 = arith.mulf %3, %in_849 : f32
      %5 = arith.mulf %in, %cst_15 : f32
      %6 = arith.addf %5, %4 : f32
      linalg.yield %6 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg168, %alloc_477 : memref<64xf32>, memref<64xf32>) outs(%arg374 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_16 : f32
      %4 = arith.mulf %3, %in_849 : f32
      %5 = arith.mulf %in, %cst_15 : f32
      %6 = arith.addf %5, %4 : f32
      linalg.yield %6 : f32
    }
    linalg.generic {indexing_maps = [#map5, #map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg169, %alloc_479 : memref<256x64xf32>, memref<64x256xf32>) outs(%arg375 : memref<256x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_16 : f32
      %4 = arith.mulf %3, %in_849 : f32
      %5 = arith.mulf %in, %cst_15 : f32
      %6 = arith.addf %5, %4 : f32
      linalg.yield %6 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg170, %alloc_561 : memref<64xf32>, memref<64xf32>) outs(%arg376 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_16 : f32
      %4 = arith.mulf %3, %in_849 : f32
      %5 = arith.mulf %in, %cst_15 : f32
      %6 = arith.addf %5, %4 : f32
      linalg.yield %6 : f32
    }
    linalg.generic {indexing_maps = [#map5, #map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg171, %alloc_563 : memref<64x64xf32>, memref<64x64xf32>) outs(%arg377 : memref<64x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_16 : f32
      %4 = arith.mulf %3, %in_849 : f32
      %5 = arith.mulf %in, %cst_15 : f32
      %6 = arith.addf %5, %4 : f32
      linalg.yield %6 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg172, %alloc_580 : memref<64xf32>, memref<64xf32>) outs(%arg378 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_16 : f32
      %4 = arith.mulf %3, %in_849 : f32
      %5 = arith.mulf %in, %cst_15 : f32
      %6 = arith.addf %5, %4 : f32
      linalg.yield %6 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg173, %alloc_584 : memref<64xf32>, memref<64xf32>) outs(%arg379 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_16 : f32
      %4 = arith.mulf %3, %in_849 : f32
      %5 = arith.mulf %in, %cst_15 : f32
      %6 = arith.addf %5, %4 : f32
      linalg.yield %6 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg174, %alloc_495 : memref<64xf32>, memref<64xf32>) outs(%arg380 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_16 : f32
      %4 = arith.mulf %3, %in_849 : f32
      %5 = arith.mulf %in, %cst_15 : f32
      %6 = arith.addf %5, %4 : f32
      linalg.yield %6 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg175, %alloc_499 : memref<64xf32>, memref<64xf32>) outs(%arg381 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_16 : f32
      %4 = arith.mulf %3, %in_849 : f32
      %5 = arith.mulf %in, %cst_15 : f32
      %6 = arith.addf %5, %4 : f32
      linalg.yield %6 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg176, %alloc_514 : memref<64xf32>, memref<64xf32>) outs(%arg382 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_16 : f32
      %4 = arith.mulf %3, %in_849 : f32
      %5 = arith.mulf %in, %cst_15 : f32
      %6 = arith.addf %5, %4 : f32
      linalg.yield %6 : f32
    }
    linalg.generic {indexing_maps = [#map5, #map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg177, %alloc_516 : memref<64x64xf32>, memref<64x64xf32>) outs(%arg383 : memref<64x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_16 : f32
      %4 = arith.mulf %3, %in_849 : f32
      %5 = arith.mulf %in, %cst_15 : f32
      %6 = arith.addf %5, %4 : f32
      linalg.yield %6 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg178, %alloc_571 : memref<64xf32>, memref<64xf32>) outs(%arg384 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_16 : f32
      %4 = arith.mulf %3, %in_849 : f32
      %5 = arith.mulf %in, %cst_15 : f32
      %6 = arith.addf %5, %4 : f32
      linalg.yield %6 : f32
    }
    linalg.generic {indexing_maps = [#map5, #map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg179, %alloc_573 : memref<64x64xf32>, memref<64x64xf32>) outs(%arg385 : memref<64x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_16 : f32
      %4 = arith.mulf %3, %in_849 : f32
      %5 = arith.mulf %in, %cst_15 : f32
      %6 = arith.addf %5, %4 : f32
      linalg.yield %6 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg180, %alloc_487 : memref<256xf32>, memref<256xf32>) outs(%arg386 : memref<256xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_16 : f32
      %4 = arith.mulf %3, %in_849 : f32
      %5 = arith.mulf %in, %cst_15 : f32
      %6 = arith.addf %5, %4 : f32
      linalg.yield %6 : f32
    }
    linalg.generic {indexing_maps = [#map5, #map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg181, %alloc_489 : memref<64x256xf32>, memref<256x64xf32>) outs(%arg387 : memref<64x256xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_16 : f32
      %4 = arith.mulf %3, %in_849 : f32
      %5 = arith.mulf %in, %cst_15 : f32
      %6 = arith.addf %5, %4 : f32
      linalg.yield %6 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg182, %alloc_551 : memref<64xf32>, memref<64xf32>) outs(%arg388 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_16 : f32
      %4 = arith.mulf %3, %in_849 : f32
      %5 = arith.mulf %in, %cst_15 : f32
      %6 = arith.addf %5, %4 : f32
      linalg.yield %6 : f32
    }
    linalg.generic {indexing_maps = [#map5, #map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg183, %alloc_553 : memref<64x64xf32>, memref<64x64xf32>) outs(%arg389 : memref<64x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_16 : f32
      %4 = arith.mulf %3, %in_849 : f32
      %5 = arith.mulf %in, %cst_15 : f32
      %6 = arith.addf %5, %4 : f32
      linalg.yield %6 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg184, %alloc_355 : memref<64xf32>, memref<64xf32>) outs(%arg390 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_16 : f32
      %4 = arith.mulf %3, %in_849 : f32
      %5 = arith.mulf %in, %cst_15 : f32
      %6 = arith.addf %5, %4 : f32
      linalg.yield %6 : f32
    }
    linalg.generic {indexing_maps = [#map5, #map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg185, %alloc_357 : memref<256x64xf32>, memref<64x256xf32>) outs(%arg391 : memref<256x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_16 : f32
      %4 = arith.mulf %3, %in_849 : f32
      %5 = arith.mulf %in, %cst_15 : f32
      %6 = arith.addf %5, %4 : f32
      linalg.yield %6 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg186, %alloc_439 : memref<64xf32>, memref<64xf32>) outs(%arg392 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_16 : f32
      %4 = arith.mulf %3, %in_849 : f32
      %5 = arith.mulf %in, %cst_15 : f32
      %6 = arith.addf %5, %4 : f32
      linalg.yield %6 : f32
    }
    linalg.generic {indexing_maps = [#map5, #map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg187, %alloc_441 : memref<64x64xf32>, memref<64x64xf32>) outs(%arg393 : memref<64x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_16 : f32
      %4 = arith.mulf %3, %in_849 : f32
      %5 = arith.mulf %in, %cst_15 : f32
      %6 = arith.addf %5, %4 : f32
      linalg.yield %6 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg188, %alloc_458 : memref<64xf32>, memref<64xf32>) outs(%arg394 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_16 : f32
      %4 = arith.mulf %3, %in_849 : f32
      %5 = arith.mulf %in, %cst_15 : f32
      %6 = arith.addf %5, %4 : f32
      linalg.yield %6 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg189, %alloc_462 : memref<64xf32>, memref<64xf32>) outs(%arg395 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_16 : f32
      %4 = arith.mulf %3, %in_849 : f32
      %5 = arith.mulf %in, %cst_15 : f32
      %6 = arith.addf %5, %4 : f32
      linalg.yield %6 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg190, %alloc_373 : memref<64xf32>, memref<64xf32>) outs(%arg396 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_16 : f32
      %4 = arith.mulf %3, %in_849 : f32
      %5 = arith.mulf %in, %cst_15 : f32
      %6 = arith.addf %5, %4 : f32
      linalg.yield %6 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg191, %alloc_377 : memref<64xf32>, memref<64xf32>) outs(%arg397 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_16 : f32
      %4 = arith.mulf %3, %in_849 : f32
      %5 = arith.mulf %in, %cst_15 : f32
      %6 = arith.addf %5, %4 : f32
      linalg.yield %6 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg192, %alloc_392 : memref<64xf32>, memref<64xf32>) outs(%arg398 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_16 : f32
      %4 = arith.mulf %3, %in_849 : f32
      %5 = arith.mulf %in, %cst_15 : f32
      %6 = arith.addf %5, %4 : f32
      linalg.yield %6 : f32
    }
    linalg.generic {indexing_maps = [#map5, #map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg193, %alloc_394 : memref<64x64xf32>, memref<64x64xf32>) outs(%arg399 : memref<64x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_16 : f32
      %4 = arith.mulf %3, %in_849 : f32
      %5 = arith.mulf %in, %cst_15 : f32
      %6 = arith.addf %5, %4 : f32
      linalg.yield %6 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg194, %alloc_449 : memref<64xf32>, memref<64xf32>) outs(%arg400 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_16 : f32
      %4 = arith.mulf %3, %in_849 : f32
      %5 = arith.mulf %in, %cst_15 : f32
      %6 = arith.addf %5, %4 : f32
      linalg.yield %6 : f32
    }
    linalg.generic {indexing_maps = [#map5, #map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg195, %alloc_451 : memref<64x64xf32>, memref<64x64xf32>) outs(%arg401 : memref<64x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_16 : f32
      %4 = arith.mulf %3, %in_849 : f32
      %5 = arith.mulf %in, %cst_15 : f32
      %6 = arith.addf %5, %4 : f32
      linalg.yield %6 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg196, %alloc_365 : memref<256xf32>, memref<256xf32>) outs(%arg402 : memref<256xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_16 : f32
      %4 = arith.mulf %3, %in_849 : f32
      %5 = arith.mulf %in, %cst_15 : f32
      %6 = arith.addf %5, %4 : f32
      linalg.yield %6 : f32
    }
    linalg.generic {indexing_maps = [#map5, #map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg197, %alloc_367 : memref<64x256xf32>, memref<256x64xf32>) outs(%arg403 : memref<64x256xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_16 : f32
      %4 = arith.mulf %3, %in_849 : f32
      %5 = arith.mulf %in, %cst_15 : f32
      %6 = arith.addf %5, %4 : f32
      linalg.yield %6 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg198, %alloc_429 : memref<64xf32>, memref<64xf32>) outs(%arg404 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_16 : f32
      %4 = arith.mulf %3, %in_849 : f32
      %5 = arith.mulf %in, %cst_15 : f32
      %6 = arith.addf %5, %4 : f32
      linalg.yield %6 : f32
    }
    linalg.generic {indexing_maps = [#map5, #map12, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg199, %alloc_431 : memref<64x64xf32>, memref<64x64xf32>) outs(%arg405 : memref<64x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_16 : f32
      %4 = arith.mulf %3, %in_849 : f32
      %5 = arith.mulf %in, %cst_15 : f32
      %6 = arith.addf %5, %4 : f32
      linalg.yield %6 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg200, %alloc_336 : memref<64xf32>, memref<64xf32>) outs(%arg406 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_16 : f32
      %4 = arith.mulf %3, %in_849 : f32
      %5 = arith.mulf %in, %cst_15 : f32
      %6 = arith.addf %5, %4 : f32
      linalg.yield %6 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg201, %alloc_340 : memref<64xf32>, memref<64xf32>) outs(%arg407 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_16 : f32
      %4 = arith.mulf %3, %in_849 : f32
      %5 = arith.mulf %in, %cst_15 : f32
      %6 = arith.addf %5, %4 : f32
      linalg.yield %6 : f32
    }
    linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg202, %alloc_843 : memref<64x64xf32>, memref<64x64xf32>) outs(%arg408 : memref<64x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_16 : f32
      %4 = arith.mulf %3, %in_849 : f32
      %5 = arith.mulf %in, %cst_15 : f32
      %6 = arith.addf %5, %4 : f32
      linalg.yield %6 : f32
    }
    linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg203, %alloc_848 : memref<512x64xf32>, memref<512x64xf32>) outs(%arg409 : memref<512x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %out: f32):
      %3 = arith.mulf %in_849, %cst_16 : f32
      %4 = arith.mulf %3, %in_849 : f32
      %5 = arith.mulf %in, %cst_15 : f32
      %6 = arith.addf %5, %4 : f32
      linalg.yield %6 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg0, %arg274, %arg342 : memref<64xf32>, memref<64xf32>, memref<64xf32>) outs(%arg206 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %out: f32):
      %3 = math.sqrt %in_850 : f32
      %4 = arith.addf %3, %cst_17 : f32
      %5 = arith.mulf %in_849, %cst_16 : f32
      %6 = arith.divf %5, %4 : f32
      %7 = arith.subf %in, %6 : f32
      linalg.yield %7 : f32
    }
    linalg.generic {indexing_maps = [#map5, #map5, #map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg1, %arg275, %arg343 : memref<256x64xf32>, memref<256x64xf32>, memref<256x64xf32>) outs(%arg207 : memref<256x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %out: f32):
      %3 = math.sqrt %in_850 : f32
      %4 = arith.addf %3, %cst_17 : f32
      %5 = arith.mulf %in_849, %cst_16 : f32
      %6 = arith.divf %5, %4 : f32
      %7 = arith.subf %in, %6 : f32
      linalg.yield %7 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg2, %arg276, %arg344 : memref<64xf32>, memref<64xf32>, memref<64xf32>) outs(%arg208 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %out: f32):
      %3 = math.sqrt %in_850 : f32
      %4 = arith.addf %3, %cst_17 : f32
      %5 = arith.mulf %in_849, %cst_16 : f32
      %6 = arith.divf %5, %4 : f32
      %7 = arith.subf %in, %6 : f32
      linalg.yield %7 : f32
    }
    linalg.generic {indexing_maps = [#map5, #map5, #map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg3, %arg277, %arg345 : memref<64x64xf32>, memref<64x64xf32>, memref<64x64xf32>) outs(%arg209 : memref<64x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %out: f32):
      %3 = math.sqrt %in_850 : f32
      %4 = arith.addf %3, %cst_17 : f32
      %5 = arith.mulf %in_849, %cst_16 : f32
      %6 = arith.divf %5, %4 : f32
      %7 = arith.subf %in, %6 : f32
      linalg.yield %7 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg4, %arg278, %arg346 : memref<64xf32>, memref<64xf32>, memref<64xf32>) outs(%arg210 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %out: f32):
      %3 = math.sqrt %in_850 : f32
      %4 = arith.addf %3, %cst_17 : f32
      %5 = arith.mulf %in_849, %cst_16 : f32
      %6 = arith.divf %5, %4 : f32
      %7 = arith.subf %in, %6 : f32
      linalg.yield %7 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg5, %arg279, %arg347 : memref<64xf32>, memref<64xf32>, memref<64xf32>) outs(%arg211 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %out: f32):
      %3 = math.sqrt %in_850 : f32
      %4 = arith.addf %3, %cst_17 : f32
      %5 = arith.mulf %in_849, %cst_16 : f32
      %6 = arith.divf %5, %4 : f32
      %7 = arith.subf %in, %6 : f32
      linalg.yield %7 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg6, %arg280, %arg348 : memref<64xf32>, memref<64xf32>, memref<64xf32>) outs(%arg212 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %out: f32):
      %3 = math.sqrt %in_850 : f32
      %4 = arith.addf %3, %cst_17 : f32
      %5 = arith.mulf %in_849, %cst_16 : f32
      %6 = arith.divf %5, %4 : f32
      %7 = arith.subf %in, %6 : f32
      linalg.yield %7 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg7, %arg281, %arg349 : memref<64xf32>, memref<64xf32>, memref<64xf32>) outs(%arg213 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %out: f32):
      %3 = math.sqrt %in_850 : f32
      %4 = arith.addf %3, %cst_17 : f32
      %5 = arith.mulf %in_849, %cst_16 : f32
      %6 = arith.divf %5, %4 : f32
      %7 = arith.subf %in, %6 : f32
      linalg.yield %7 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg8, %arg282, %arg350 : memref<64xf32>, memref<64xf32>, memref<64xf32>) outs(%arg214 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %out: f32):
      %3 = math.sqrt %in_850 : f32
      %4 = arith.addf %3, %cst_17 : f32
      %5 = arith.mulf %in_849, %cst_16 : f32
      %6 = arith.divf %5, %4 : f32
      %7 = arith.subf %in, %6 : f32
      linalg.yield %7 : f32
    }
    linalg.generic {indexing_maps = [#map5, #map5, #map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg9, %arg283, %arg351 : memref<64x64xf32>, memref<64x64xf32>, memref<64x64xf32>) outs(%arg215 : memref<64x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %out: f32):
      %3 = math.sqrt %in_850 : f32
      %4 = arith.addf %3, %cst_17 : f32
      %5 = arith.mulf %in_849, %cst_16 : f32
      %6 = arith.divf %5, %4 : f32
      %7 = arith.subf %in, %6 : f32
      linalg.yield %7 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg10, %arg284, %arg352 : memref<64xf32>, memref<64xf32>, memref<64xf32>) outs(%arg216 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %out: f32):
      %3 = math.sqrt %in_850 : f32
      %4 = arith.addf %3, %cst_17 : f32
      %5 = arith.mulf %in_849, %cst_16 : f32
      %6 = arith.divf %5, %4 : f32
      %7 = arith.subf %in, %6 : f32
      linalg.yield %7 : f32
    }
    linalg.generic {indexing_maps = [#map5, #map5, #map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg11, %arg285, %arg353 : memref<64x64xf32>, memref<64x64xf32>, memref<64x64xf32>) outs(%arg217 : memref<64x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %out: f32):
      %3 = math.sqrt %in_850 : f32
      %4 = arith.addf %3, %cst_17 : f32
      %5 = arith.mulf %in_849, %cst_16 : f32
      %6 = arith.divf %5, %4 : f32
      %7 = arith.subf %in, %6 : f32
      linalg.yield %7 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg12, %arg286, %arg354 : memref<256xf32>, memref<256xf32>, memref<256xf32>) outs(%arg218 : memref<256xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %out: f32):
      %3 = math.sqrt %in_850 : f32
      %4 = arith.addf %3, %cst_17 : f32
      %5 = arith.mulf %in_849, %cst_16 : f32
      %6 = arith.divf %5, %4 : f32
      %7 = arith.subf %in, %6 : f32
      linalg.yield %7 : f32
    }
    linalg.generic {indexing_maps = [#map5, #map5, #map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg13, %arg287, %arg355 : memref<64x256xf32>, memref<64x256xf32>, memref<64x256xf32>) outs(%arg219 : memref<64x256xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %out: f32):
      %3 = math.sqrt %in_850 : f32
      %4 = arith.addf %3, %cst_17 : f32
      %5 = arith.mulf %in_849, %cst_16 : f32
      %6 = arith.divf %5, %4 : f32
      %7 = arith.subf %in, %6 : f32
      linalg.yield %7 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg14, %arg288, %arg356 : memref<64xf32>, memref<64xf32>, memref<64xf32>) outs(%arg220 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %out: f32):
      %3 = math.sqrt %in_850 : f32
      %4 = arith.addf %3, %cst_17 : f32
      %5 = arith.mulf %in_849, %cst_16 : f32
      %6 = arith.divf %5, %4 : f32
      %7 = arith.subf %in, %6 : f32
      linalg.yield %7 : f32
    }
    linalg.generic {indexing_maps = [#map5, #map5, #map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg15, %arg289, %arg357 : memref<64x64xf32>, memref<64x64xf32>, memref<64x64xf32>) outs(%arg221 : memref<64x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %out: f32):
      %3 = math.sqrt %in_850 : f32
      %4 = arith.addf %3, %cst_17 : f32
      %5 = arith.mulf %in_849, %cst_16 : f32
      %6 = arith.divf %5, %4 : f32
      %7 = arith.subf %in, %6 : f32
      linalg.yield %7 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg16, %arg290, %arg358 : memref<64xf32>, memref<64xf32>, memref<64xf32>) outs(%arg222 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %out: f32):
      %3 = math.sqrt %in_850 : f32
      %4 = arith.addf %3, %cst_17 : f32
      %5 = arith.mulf %in_849, %cst_16 : f32
      %6 = arith.divf %5, %4 : f32
      %7 = arith.subf %in, %6 : f32
      linalg.yield %7 : f32
    }
    linalg.generic {indexing_maps = [#map5, #map5, #map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg17, %arg291, %arg359 : memref<256x64xf32>, memref<256x64xf32>, memref<256x64xf32>) outs(%arg223 : memref<256x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %out: f32):
      %3 = math.sqrt %in_850 : f32
      %4 = arith.addf %3, %cst_17 : f32
      %5 = arith.mulf %in_849, %cst_16 : f32
      %6 = arith.divf %5, %4 : f32
      %7 = arith.subf %in, %6 : f32
      linalg.yield %7 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg18, %arg292, %arg360 : memref<64xf32>, memref<64xf32>, memref<64xf32>) outs(%arg224 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %out: f32):
      %3 = math.sqrt %in_850 : f32
      %4 = arith.addf %3, %cst_17 : f32
      %5 = arith.mulf %in_849, %cst_16 : f32
      %6 = arith.divf %5, %4 : f32
      %7 = arith.subf %in, %6 : f32
      linalg.yield %7 : f32
    }
    linalg.generic {indexing_maps = [#map5, #map5, #map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg19, %arg293, %arg361 : memref<64x64xf32>, memref<64x64xf32>, memref<64x64xf32>) outs(%arg225 : memref<64x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %out: f32):
      %3 = math.sqrt %in_850 : f32
      %4 = arith.addf %3, %cst_17 : f32
      %5 = arith.mulf %in_849, %cst_16 : f32
      %6 = arith.divf %5, %4 : f32
      %7 = arith.subf %in, %6 : f32
      linalg.yield %7 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg20, %arg294, %arg362 : memref<64xf32>, memref<64xf32>, memref<64xf32>) outs(%arg226 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %out: f32):
      %3 = math.sqrt %in_850 : f32
      %4 = arith.addf %3, %cst_17 : f32
      %5 = arith.mulf %in_849, %cst_16 : f32
      %6 = arith.divf %5, %4 : f32
      %7 = arith.subf %in, %6 : f32
      linalg.yield %7 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg21, %arg295, %arg363 : memref<64xf32>, memref<64xf32>, memref<64xf32>) outs(%arg227 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %out: f32):
      %3 = math.sqrt %in_850 : f32
      %4 = arith.addf %3, %cst_17 : f32
      %5 = arith.mulf %in_849, %cst_16 : f32
      %6 = arith.divf %5, %4 : f32
      %7 = arith.subf %in, %6 : f32
      linalg.yield %7 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg22, %arg296, %arg364 : memref<64xf32>, memref<64xf32>, memref<64xf32>) outs(%arg228 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %out: f32):
      %3 = math.sqrt %in_850 : f32
      %4 = arith.addf %3, %cst_17 : f32
      %5 = arith.mulf %in_849, %cst_16 : f32
      %6 = arith.divf %5, %4 : f32
      %7 = arith.subf %in, %6 : f32
      linalg.yield %7 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg23, %arg297, %arg365 : memref<64xf32>, memref<64xf32>, memref<64xf32>) outs(%arg229 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %out: f32):
      %3 = math.sqrt %in_850 : f32
      %4 = arith.addf %3, %cst_17 : f32
      %5 = arith.mulf %in_849, %cst_16 : f32
      %6 = arith.divf %5, %4 : f32
      %7 = arith.subf %in, %6 : f32
      linalg.yield %7 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg24, %arg298, %arg366 : memref<64xf32>, memref<64xf32>, memref<64xf32>) outs(%arg230 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %out: f32):
      %3 = math.sqrt %in_850 : f32
      %4 = arith.addf %3, %cst_17 : f32
      %5 = arith.mulf %in_849, %cst_16 : f32
      %6 = arith.divf %5, %4 : f32
      %7 = arith.subf %in, %6 : f32
      linalg.yield %7 : f32
    }
    linalg.generic {indexing_maps = [#map5, #map5, #map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg25, %arg299, %arg367 : memref<64x64xf32>, memref<64x64xf32>, memref<64x64xf32>) outs(%arg231 : memref<64x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %out: f32):
      %3 = math.sqrt %in_850 : f32
      %4 = arith.addf %3, %cst_17 : f32
      %5 = arith.mulf %in_849, %cst_16 : f32
      %6 = arith.divf %5, %4 : f32
      %7 = arith.subf %in, %6 : f32
      linalg.yield %7 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg26, %arg300, %arg368 : memref<64xf32>, memref<64xf32>, memref<64xf32>) outs(%arg232 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %out: f32):
      %3 = math.sqrt %in_850 : f32
      %4 = arith.addf %3, %cst_17 : f32
      %5 = arith.mulf %in_849, %cst_16 : f32
      %6 = arith.divf %5, %4 : f32
      %7 = arith.subf %in, %6 : f32
      linalg.yield %7 : f32
    }
    linalg.generic {indexing_maps = [#map5, #map5, #map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg27, %arg301, %arg369 : memref<64x64xf32>, memref<64x64xf32>, memref<64x64xf32>) outs(%arg233 : memref<64x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %out: f32):
      %3 = math.sqrt %in_850 : f32
      %4 = arith.addf %3, %cst_17 : f32
      %5 = arith.mulf %in_849, %cst_16 : f32
      %6 = arith.divf %5, %4 : f32
      %7 = arith.subf %in, %6 : f32
      linalg.yield %7 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg28, %arg302, %arg370 : memref<256xf32>, memref<256xf32>, memref<256xf32>) outs(%arg234 : memref<256xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %out: f32):
      %3 = math.sqrt %in_850 : f32
      %4 = arith.addf %3, %cst_17 : f32
      %5 = arith.mulf %in_849, %cst_16 : f32
      %6 = arith.divf %5, %4 : f32
      %7 = arith.subf %in, %6 : f32
      linalg.yield %7 : f32
    }
    linalg.generic {indexing_maps = [#map5, #map5, #map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg29, %arg303, %arg371 : memref<64x256xf32>, memref<64x256xf32>, memref<64x256xf32>) outs(%arg235 : memref<64x256xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %out: f32):
      %3 = math.sqrt %in_850 : f32
      %4 = arith.addf %3, %cst_17 : f32
      %5 = arith.mulf %in_849, %cst_16 : f32
      %6 = arith.divf %5, %4 : f32
      %7 = arith.subf %in, %6 : f32
      linalg.yield %7 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg30, %arg304, %arg372 : memref<64xf32>, memref<64xf32>, memref<64xf32>) outs(%arg236 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %out: f32):
      %3 = math.sqrt %in_850 : f32
      %4 = arith.addf %3, %cst_17 : f32
      %5 = arith.mulf %in_849, %cst_16 : f32
      %6 = arith.divf %5, %4 : f32
      %7 = arith.subf %in, %6 : f32
      linalg.yield %7 : f32
    }
    linalg.generic {indexing_maps = [#map5, #map5, #map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg31, %arg305, %arg373 : memref<64x64xf32>, memref<64x64xf32>, memref<64x64xf32>) outs(%arg237 : memref<64x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %out: f32):
      %3 = math.sqrt %in_850 : f32
      %4 = arith.addf %3, %cst_17 : f32
      %5 = arith.mulf %in_849, %cst_16 : f32
      %6 = arith.divf %5, %4 : f32
      %7 = arith.subf %in, %6 : f32
      linalg.yield %7 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg32, %arg306, %arg374 : memref<64xf32>, memref<64xf32>, memref<64xf32>) outs(%arg238 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %out: f32):
      %3 = math.sqrt %in_850 : f32
      %4 = arith.addf %3, %cst_17 : f32
      %5 = arith.mulf %in_849, %cst_16 : f32
      %6 = arith.divf %5, %4 : f32
      %7 = arith.subf %in, %6 : f32
      linalg.yield %7 : f32
    }
    linalg.generic {indexing_maps = [#map5, #map5, #map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg33, %arg307, %arg375 : memref<256x64xf32>, memref<256x64xf32>, memref<256x64xf32>) outs(%arg239 : memref<256x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %out: f32):
      %3 = math.sqrt %in_850 : f32
      %4 = arith.addf %3, %cst_17 : f32
      %5 = arith.mulf %in_849, %cst_16 : f32
      %6 = arith.divf %5, %4 : f32
      %7 = arith.subf %in, %6 : f32
      linalg.yield %7 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg34, %arg308, %arg376 : memref<64xf32>, memref<64xf32>, memref<64xf32>) outs(%arg240 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %out: f32):
      %3 = math.sqrt %in_850 : f32
      %4 = arith.addf %3, %cst_17 : f32
      %5 = arith.mulf %in_849, %cst_16 : f32
      %6 = arith.divf %5, %4 : f32
      %7 = arith.subf %in, %6 : f32
      linalg.yield %7 : f32
    }
    linalg.generic {indexing_maps = [#map5, #map5, #map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg35, %arg309, %arg377 : memref<64x64xf32>, memref<64x64xf32>, memref<64x64xf32>) outs(%arg241 : memref<64x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %out: f32):
      %3 = math.sqrt %in_850 : f32
      %4 = arith.addf %3, %cst_17 : f32
      %5 = arith.mulf %in_849, %cst_16 : f32
      %6 = arith.divf %5, %4 : f32
      %7 = arith.subf %in, %6 : f32
      linalg.yield %7 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg36, %arg310, %arg378 : memref<64xf32>, memref<64xf32>, memref<64xf32>) outs(%arg242 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %out: f32):
      %3 = math.sqrt %in_850 : f32
      %4 = arith.addf %3, %cst_17 : f32
      %5 = arith.mulf %in_849, %cst_16 : f32
      %6 = arith.divf %5, %4 : f32
      %7 = arith.subf %in, %6 : f32
      linalg.yield %7 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg37, %arg311, %arg379 : memref<64xf32>, memref<64xf32>, memref<64xf32>) outs(%arg243 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %out: f32):
      %3 = math.sqrt %in_850 : f32
      %4 = arith.addf %3, %cst_17 : f32
      %5 = arith.mulf %in_849, %cst_16 : f32
      %6 = arith.divf %5, %4 : f32
      %7 = arith.subf %in, %6 : f32
      linalg.yield %7 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg38, %arg312, %arg380 : memref<64xf32>, memref<64xf32>, memref<64xf32>) outs(%arg244 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %out: f32):
      %3 = math.sqrt %in_850 : f32
      %4 = arith.addf %3, %cst_17 : f32
      %5 = arith.mulf %in_849, %cst_16 : f32
      %6 = arith.divf %5, %4 : f32
      %7 = arith.subf %in, %6 : f32
      linalg.yield %7 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg39, %arg313, %arg381 : memref<64xf32>, memref<64xf32>, memref<64xf32>) outs(%arg245 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %out: f32):
      %3 = math.sqrt %in_850 : f32
      %4 = arith.addf %3, %cst_17 : f32
      %5 = arith.mulf %in_849, %cst_16 : f32
      %6 = arith.divf %5, %4 : f32
      %7 = arith.subf %in, %6 : f32
      linalg.yield %7 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg40, %arg314, %arg382 : memref<64xf32>, memref<64xf32>, memref<64xf32>) outs(%arg246 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %out: f32):
      %3 = math.sqrt %in_850 : f32
      %4 = arith.addf %3, %cst_17 : f32
      %5 = arith.mulf %in_849, %cst_16 : f32
      %6 = arith.divf %5, %4 : f32
      %7 = arith.subf %in, %6 : f32
      linalg.yield %7 : f32
    }
    linalg.generic {indexing_maps = [#map5, #map5, #map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg41, %arg315, %arg383 : memref<64x64xf32>, memref<64x64xf32>, memref<64x64xf32>) outs(%arg247 : memref<64x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %out: f32):
      %3 = math.sqrt %in_850 : f32
      %4 = arith.addf %3, %cst_17 : f32
      %5 = arith.mulf %in_849, %cst_16 : f32
      %6 = arith.divf %5, %4 : f32
      %7 = arith.subf %in, %6 : f32
      linalg.yield %7 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg42, %arg316, %arg384 : memref<64xf32>, memref<64xf32>, memref<64xf32>) outs(%arg248 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %out: f32):
      %3 = math.sqrt %in_850 : f32
      %4 = arith.addf %3, %cst_17 : f32
      %5 = arith.mulf %in_849, %cst_16 : f32
      %6 = arith.divf %5, %4 : f32
      %7 = arith.subf %in, %6 : f32
      linalg.yield %7 : f32
    }
    linalg.generic {indexing_maps = [#map5, #map5, #map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg43, %arg317, %arg385 : memref<64x64xf32>, memref<64x64xf32>, memref<64x64xf32>) outs(%arg249 : memref<64x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %out: f32):
      %3 = math.sqrt %in_850 : f32
      %4 = arith.addf %3, %cst_17 : f32
      %5 = arith.mulf %in_849, %cst_16 : f32
      %6 = arith.divf %5, %4 : f32
      %7 = arith.subf %in, %6 : f32
      linalg.yield %7 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg44, %arg318, %arg386 : memref<256xf32>, memref<256xf32>, memref<256xf32>) outs(%arg250 : memref<256xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %out: f32):
      %3 = math.sqrt %in_850 : f32
      %4 = arith.addf %3, %cst_17 : f32
      %5 = arith.mulf %in_849, %cst_16 : f32
      %6 = arith.divf %5, %4 : f32
      %7 = arith.subf %in, %6 : f32
      linalg.yield %7 : f32
    }
    linalg.generic {indexing_maps = [#map5, #map5, #map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg45, %arg319, %arg387 : memref<64x256xf32>, memref<64x256xf32>, memref<64x256xf32>) outs(%arg251 : memref<64x256xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %out: f32):
      %3 = math.sqrt %in_850 : f32
      %4 = arith.addf %3, %cst_17 : f32
      %5 = arith.mulf %in_849, %cst_16 : f32
      %6 = arith.divf %5, %4 : f32
      %7 = arith.subf %in, %6 : f32
      linalg.yield %7 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg46, %arg320, %arg388 : memref<64xf32>, memref<64xf32>, memref<64xf32>) outs(%arg252 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %out: f32):
      %3 = math.sqrt %in_850 : f32
      %4 = arith.addf %3, %cst_17 : f32
      %5 = arith.mulf %in_849, %cst_16 : f32
      %6 = arith.divf %5, %4 : f32
      %7 = arith.subf %in, %6 : f32
      linalg.yield %7 : f32
    }
    linalg.generic {indexing_maps = [#map5, #map5, #map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg47, %arg321, %arg389 : memref<64x64xf32>, memref<64x64xf32>, memref<64x64xf32>) outs(%arg253 : memref<64x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %out: f32):
      %3 = math.sqrt %in_850 : f32
      %4 = arith.addf %3, %cst_17 : f32
      %5 = arith.mulf %in_849, %cst_16 : f32
      %6 = arith.divf %5, %4 : f32
      %7 = arith.subf %in, %6 : f32
      linalg.yield %7 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg48, %arg322, %arg390 : memref<64xf32>, memref<64xf32>, memref<64xf32>) outs(%arg254 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %out: f32):
      %3 = math.sqrt %in_850 : f32
      %4 = arith.addf %3, %cst_17 : f32
      %5 = arith.mulf %in_849, %cst_16 : f32
      %6 = arith.divf %5, %4 : f32
      %7 = arith.subf %in, %6 : f32
      linalg.yield %7 : f32
    }
    linalg.generic {indexing_maps = [#map5, #map5, #map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg49, %arg323, %arg391 : memref<256x64xf32>, memref<256x64xf32>, memref<256x64xf32>) outs(%arg255 : memref<256x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %out: f32):
      %3 = math.sqrt %in_850 : f32
      %4 = arith.addf %3, %cst_17 : f32
      %5 = arith.mulf %in_849, %cst_16 : f32
      %6 = arith.divf %5, %4 : f32
      %7 = arith.subf %in, %6 : f32
      linalg.yield %7 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg50, %arg324, %arg392 : memref<64xf32>, memref<64xf32>, memref<64xf32>) outs(%arg256 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %out: f32):
      %3 = math.sqrt %in_850 : f32
      %4 = arith.addf %3, %cst_17 : f32
      %5 = arith.mulf %in_849, %cst_16 : f32
      %6 = arith.divf %5, %4 : f32
      %7 = arith.subf %in, %6 : f32
      linalg.yield %7 : f32
    }
    linalg.generic {indexing_maps = [#map5, #map5, #map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg51, %arg325, %arg393 : memref<64x64xf32>, memref<64x64xf32>, memref<64x64xf32>) outs(%arg257 : memref<64x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %out: f32):
      %3 = math.sqrt %in_850 : f32
      %4 = arith.addf %3, %cst_17 : f32
      %5 = arith.mulf %in_849, %cst_16 : f32
      %6 = arith.divf %5, %4 : f32
      %7 = arith.subf %in, %6 : f32
      linalg.yield %7 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg52, %arg326, %arg394 : memref<64xf32>, memref<64xf32>, memref<64xf32>) outs(%arg258 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %out: f32):
      %3 = math.sqrt %in_850 : f32
      %4 = arith.addf %3, %cst_17 : f32
      %5 = arith.mulf %in_849, %cst_16 : f32
      %6 = arith.divf %5, %4 : f32
      %7 = arith.subf %in, %6 : f32
      linalg.yield %7 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg53, %arg327, %arg395 : memref<64xf32>, memref<64xf32>, memref<64xf32>) outs(%arg259 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %out: f32):
      %3 = math.sqrt %in_850 : f32
      %4 = arith.addf %3, %cst_17 : f32
      %5 = arith.mulf %in_849, %cst_16 : f32
      %6 = arith.divf %5, %4 : f32
      %7 = arith.subf %in, %6 : f32
      linalg.yield %7 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg54, %arg328, %arg396 : memref<64xf32>, memref<64xf32>, memref<64xf32>) outs(%arg260 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %out: f32):
      %3 = math.sqrt %in_850 : f32
      %4 = arith.addf %3, %cst_17 : f32
      %5 = arith.mulf %in_849, %cst_16 : f32
      %6 = arith.divf %5, %4 : f32
      %7 = arith.subf %in, %6 : f32
      linalg.yield %7 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg55, %arg329, %arg397 : memref<64xf32>, memref<64xf32>, memref<64xf32>) outs(%arg261 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %out: f32):
      %3 = math.sqrt %in_850 : f32
      %4 = arith.addf %3, %cst_17 : f32
      %5 = arith.mulf %in_849, %cst_16 : f32
      %6 = arith.divf %5, %4 : f32
      %7 = arith.subf %in, %6 : f32
      linalg.yield %7 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg56, %arg330, %arg398 : memref<64xf32>, memref<64xf32>, memref<64xf32>) outs(%arg262 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %out: f32):
      %3 = math.sqrt %in_850 : f32
      %4 = arith.addf %3, %cst_17 : f32
      %5 = arith.mulf %in_849, %cst_16 : f32
      %6 = arith.divf %5, %4 : f32
      %7 = arith.subf %in, %6 : f32
      linalg.yield %7 : f32
    }
    linalg.generic {indexing_maps = [#map5, #map5, #map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg57, %arg331, %arg399 : memref<64x64xf32>, memref<64x64xf32>, memref<64x64xf32>) outs(%arg263 : memref<64x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %out: f32):
      %3 = math.sqrt %in_850 : f32
      %4 = arith.addf %3, %cst_17 : f32
      %5 = arith.mulf %in_849, %cst_16 : f32
      %6 = arith.divf %5, %4 : f32
      %7 = arith.subf %in, %6 : f32
      linalg.yield %7 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg58, %arg332, %arg400 : memref<64xf32>, memref<64xf32>, memref<64xf32>) outs(%arg264 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %out: f32):
      %3 = math.sqrt %in_850 : f32
      %4 = arith.addf %3, %cst_17 : f32
      %5 = arith.mulf %in_849, %cst_16 : f32
      %6 = arith.divf %5, %4 : f32
      %7 = arith.subf %in, %6 : f32
      linalg.yield %7 : f32
    }
    linalg.generic {indexing_maps = [#map5, #map5, #map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg59, %arg333, %arg401 : memref<64x64xf32>, memref<64x64xf32>, memref<64x64xf32>) outs(%arg265 : memref<64x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %out: f32):
      %3 = math.sqrt %in_850 : f32
      %4 = arith.addf %3, %cst_17 : f32
      %5 = arith.mulf %in_849, %cst_16 : f32
      %6 = arith.divf %5, %4 : f32
      %7 = arith.subf %in, %6 : f32
      linalg.yield %7 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg60, %arg334, %arg402 : memref<256xf32>, memref<256xf32>, memref<256xf32>) outs(%arg266 : memref<256xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %out: f32):
      %3 = math.sqrt %in_850 : f32
      %4 = arith.addf %3, %cst_17 : f32
      %5 = arith.mulf %in_849, %cst_16 : f32
      %6 = arith.divf %5, %4 : f32
      %7 = arith.subf %in, %6 : f32
      linalg.yield %7 : f32
    }
    linalg.generic {indexing_maps = [#map5, #map5, #map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg61, %arg335, %arg403 : memref<64x256xf32>, memref<64x256xf32>, memref<64x256xf32>) outs(%arg267 : memref<64x256xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %out: f32):
      %3 = math.sqrt %in_850 : f32
      %4 = arith.addf %3, %cst_17 : f32
      %5 = arith.mulf %in_849, %cst_16 : f32
      %6 = arith.divf %5, %4 : f32
      %7 = arith.subf %in, %6 : f32
      linalg.yield %7 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg62, %arg336, %arg404 : memref<64xf32>, memref<64xf32>, memref<64xf32>) outs(%arg268 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %out: f32):
      %3 = math.sqrt %in_850 : f32
      %4 = arith.addf %3, %cst_17 : f32
      %5 = arith.mulf %in_849, %cst_16 : f32
      %6 = arith.divf %5, %4 : f32
      %7 = arith.subf %in, %6 : f32
      linalg.yield %7 : f32
    }
    linalg.generic {indexing_maps = [#map5, #map5, #map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg63, %arg337, %arg405 : memref<64x64xf32>, memref<64x64xf32>, memref<64x64xf32>) outs(%arg269 : memref<64x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %out: f32):
      %3 = math.sqrt %in_850 : f32
      %4 = arith.addf %3, %cst_17 : f32
      %5 = arith.mulf %in_849, %cst_16 : f32
      %6 = arith.divf %5, %4 : f32
      %7 = arith.subf %in, %6 : f32
      linalg.yield %7 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg64, %arg338, %arg406 : memref<64xf32>, memref<64xf32>, memref<64xf32>) outs(%arg270 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %out: f32):
      %3 = math.sqrt %in_850 : f32
      %4 = arith.addf %3, %cst_17 : f32
      %5 = arith.mulf %in_849, %cst_16 : f32
      %6 = arith.divf %5, %4 : f32
      %7 = arith.subf %in, %6 : f32
      linalg.yield %7 : f32
    }
    linalg.generic {indexing_maps = [#map15, #map15, #map15, #map15], iterator_types = ["parallel"]} ins(%arg65, %arg339, %arg407 : memref<64xf32>, memref<64xf32>, memref<64xf32>) outs(%arg271 : memref<64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %out: f32):
      %3 = math.sqrt %in_850 : f32
      %4 = arith.addf %3, %cst_17 : f32
      %5 = arith.mulf %in_849, %cst_16 : f32
      %6 = arith.divf %5, %4 : f32
      %7 = arith.subf %in, %6 : f32
      linalg.yield %7 : f32
    }
    linalg.generic {indexing_maps = [#map5, #map5, #map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg66, %arg340, %arg408 : memref<64x64xf32>, memref<64x64xf32>, memref<64x64xf32>) outs(%arg272 : memref<64x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %out: f32):
      %3 = math.sqrt %in_850 : f32
      %4 = arith.addf %3, %cst_17 : f32
      %5 = arith.mulf %in_849, %cst_16 : f32
      %6 = arith.divf %5, %4 : f32
      %7 = arith.subf %in, %6 : f32
      linalg.yield %7 : f32
    }
    linalg.generic {indexing_maps = [#map5, #map5, #map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg67, %arg341, %arg409 : memref<512x64xf32>, memref<512x64xf32>, memref<512x64xf32>) outs(%arg273 : memref<512x64xf32>) {
    ^bb0(%in: f32, %in_849: f32, %in_850: f32, %out: f32):
      %3 = math.sqrt %in_850 : f32
      %4 = arith.addf %3, %cst_17 : f32
      %5 = arith.mulf %in_849, %cst_16 : f32
      %6 = arith.divf %5, %4 : f32
      %7 = arith.subf %in, %6 : f32
      linalg.yield %7 : f32
    }
    return
  }
}

