/*
reduce_unrolled8 whose last six rounds are left to one warp, without barriers and without a loop. `volatile` makes
every access one of memory, and the rest relies on lanes that execute each instruction together: a race since compute
capability 7.0, kept here on purpose. reduce_unrolled_fully is the same with barriers of the warp.

[lanescope]
grid = 2
block = 128
args = { n = 2000 }

[buffers]
p = "u32 i:2048"

[buffers.q]
type = "u32"
axes = "b:2"
init = "zeros"
expect = "sha256 cfe6f35b6fd489e127b3ffbe57d4f1b2c67be7699ee737c0480731c0e59ed869"
*/
__global__ void __launch_bounds__(128) reduce_unrolled_warp(uint *p, uint *q, uint n)
{
    uint t = threadIdx.x, i = 1024 * blockIdx.x + t;

    uint x[8];
    #pragma unroll
    for (uint k = 0; k < 8; k++) x[k] = i + 128 * k < n ? p[i + 128 * k] : 0;
    p[i] = ((x[0] + x[1]) + (x[2] + x[3])) + ((x[4] + x[5]) + (x[6] + x[7]));
    __syncthreads();

    if (t < 64) p[i] += p[i + 64];
    __syncthreads();

    // lanescope: expect warp-sync-missing, partial-lines
    if (t < 32) {
        volatile uint *v = p;
        v[i] += v[i + 32];
        v[i] += v[i + 16];
        v[i] += v[i + 8];
        v[i] += v[i + 4];
        v[i] += v[i + 2];
        v[i] += v[i + 1];
    }

    if (t == 0) q[blockIdx.x] = p[i];
}
