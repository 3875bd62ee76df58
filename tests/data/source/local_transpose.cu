#include <cuda_fp16.h>

// Each 16-bit element of the array p[i,j,k] has a "logical" location which is parameterized by four integers
// (i,j,k), whose base-2 representations consist of four bits each:
//
// i = (i3 i2 i1 i0)_2    j = (j3 j2 j1 j0)_2    k = (k3 k2 k1 k0)_2
//
// s = (s0)_2    r = (r1 r0)_2    t = (t4 t3 t2 t1 t0)_2    w = (w3 w2 w1 w0)_2
//
// The "register assignment" notation in the comment above specifies a mapping between physical hardware locations
// and logical array locations, via a mapping between the 12 physical and logical index bits (on the LHS and RHS of
// the <-> symbol). With real/imag parts packed into a __half2, simd: s0 <-> ReIm.
__global__ void __launch_bounds__(512) local_transpose(__half *p)
{
    // Continuing the example above, suppose we have a 3-d array x[i,j,k] with the following
    // register assignment. (Note that we sometimes omit the bits s_i, r_i, t_i, w_i on the
    // LHS for brevity.)
    //   simd:      k0
    //   register:  j3 j2
    //   thread:    j1 j0 k3 k2 k1
    //   warp:      i3 i2 i1 i0

    __half2 x0, x1, x2, x3;
    uint s = 2*threadIdx.x + 256*threadIdx.y;
    x0 = *((__half2 *) (p+s));
    x1 = *((__half2 *) (p+s+64));
    x2 = *((__half2 *) (p+s+128));
    x3 = *((__half2 *) (p+s+192));

    // The following "local transpose" operation exchanges physical bits s0 (simd)
    // with r1 (register). Recall that the cuda intrinsic `__lows2half2()` combines
    // the lower halves of two `__half2` values into a new `__half2`, and analogously
    // for `__highs2half2()`.

    __half2 y0 = __lows2half2(x0, x2);
    __half2 y2 = __highs2half2(x0, x2);
    __half2 y1 = __lows2half2(x1, x3);
    __half2 y3 = __highs2half2(x1, x3);

    // Now the y array is the same logical array as x, but with a new register assignment:
    //   simd:      j3
    //   register:  k0 j2
    //   thread:    j1 j0 k3 k2 k1   (unchanged)
    //   warp:      i3 i2 i1 i0      (unchanged)
    *((__half2 *) (p+s)) = y0;
    *((__half2 *) (p+s+64)) = y1;
    *((__half2 *) (p+s+128)) = y2;
    *((__half2 *) (p+s+192)) = y3;
}
