/* Every lane reads 16 bytes at once.
[lanescope]
block = 256
[buffers]
a = "u32 tile:8 e:128"
b = "u32 tile:8 e:128 = zeros"
*/
__global__ void __launch_bounds__(256) add_one(const unsigned *a, unsigned *b)
{
    const unsigned lane = threadIdx.x & 31u, warp = threadIdx.x >> 5;
    uint4 w = reinterpret_cast<const uint4 *>(a + warp * 128)[lane];
    // w holds, after this 128-bit load,
    //   register:  r1 r0           <->  e1 e0
    //   thread:    t4 t3 t2 t1 t0  <->  e6 e5 e4 e3 e2
    //   warp:      w2 w1 w0        <->  tile2 tile1 tile0
    w.x += 1; w.y += 1; w.z += 1; w.w += 1;
    reinterpret_cast<uint4 *>(b + warp * 128)[lane] = w;
}
