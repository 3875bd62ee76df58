/*
index_64bit with a check of every index, which traps where it is beyond the matrix. None ever is, and the checks cost
registers nevertheless: 26 a thread on sm_90, as index and limit must be kept beside the addresses.

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
typedef long long index;

__device__ uint checked(const uint *p, index i, index elements)
{
    if (i < 0 || i >= elements) __trap();
    return p[i];
}

__global__ void __launch_bounds__(64) index_64bit_checked(const uint *p, uint *q, index rows, index columns)
{
    index j = 64 * blockIdx.x + threadIdx.x;

    uint sum = 0;
    // lanescope: expect partial-lines (lanes lie a row apart)
    #pragma unroll 1
    for (index i = 0; i < rows; i++) {
        uint down = checked(p, i * columns + j, rows * columns), along = checked(p, j * columns + i, rows * columns);

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
