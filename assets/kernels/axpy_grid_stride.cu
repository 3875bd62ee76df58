/*
y = a x + y with as many threads as the launch happens to have: each strides over the whole grid until all elements
are done, so that the number of blocks may fit the GPU instead of the array.

[lanescope]
grid = 4
block = 256
args = { a = 2, n = 4096 }

[buffers]
x = "f32 i:64 j:64"

[buffers.y]
type = "f32"
axes = "i:64 j:64"
init = "iota"
expect = "sha256 3b3daaa435f9e286fb2391e983a4f751a8d8a2612e78034733cbc766bae37470"
*/
__global__ void __launch_bounds__(256) axpy_grid_stride(float a, const float *x, float *y, uint n)
{
    #pragma unroll 1
    for (uint i = 256 * blockIdx.x + threadIdx.x; i < n; i += 256 * gridDim.x) {
        float u = x[i];

        // u has the following register assignment:
        //   thread:    t4 t3 t2 t1 t0  <->  j4 j3 j2 j1 j0
        //   warp:      w2 w1 w0        <->  i1 i0 j5

        y[i] = a * u + y[i];
    }
}
