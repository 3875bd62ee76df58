/*
index_64bit with indices of 32 bits, which suffice for two billion elements: 14 registers a thread on sm_90. The
index is signed: an unsigned one may wrap around, so the compiler would have to compute every address
again.

[lanescope]
block = 64
args = { rows = 64, columns = 64 }

[buffers]
p = "u32 i:64 j:64"

[buffers.q]
type = "u32"
axes = "j:64"
init = "zeros"
expect = "sha256 5173ee1818757c5a3841951932324d6f6bb961a4b4b796425c2d874095fcc842"
*/
typedef int index;

__global__ void __launch_bounds__(64) index_32bit(const uint *p, uint *q, index rows, index columns)
{
    index j = 64 * blockIdx.x + threadIdx.x;

    uint sum = 0;
    // lanescope: expect partial-lines (lanes lie a row apart)
    #pragma unroll 1
    for (index i = 0; i < rows; i++) {
        uint down = p[i * columns + j], along = p[j * columns + i];

        // down has the following register assignment:
        //   thread:    t4 t3 t2 t1 t0  <->  j4 j3 j2 j1 j0
        //   warp:      w0              <->  j5

        // along has register assignment:
        //   thread:    t4 t3 t2 t1 t0  <->  i4 i3 i2 i1 i0
        //   warp:      w0              <->  i5

        sum += down * along;
    }

    q[j] = sum;
}
