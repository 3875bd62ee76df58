/*
reduce_unrolled2 with eight elements a thread: eight independent loads, and an eighth of the blocks of
reduce_interleaved. The last rounds keep one warp of the block busy and let all the others wait at barriers;
reduce_unrolled_warp and reduce_unrolled_fully deal with them.

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
__global__ void __launch_bounds__(128) reduce_unrolled8(uint *p, uint *q, uint n)
{
    uint t = threadIdx.x, i = 1024 * blockIdx.x + t;

    uint x[8];
    #pragma unroll
    for (uint k = 0; k < 8; k++) x[k] = i + 128 * k < n ? p[i + 128 * k] : 0;
    p[i] = ((x[0] + x[1]) + (x[2] + x[3])) + ((x[4] + x[5]) + (x[6] + x[7]));
    __syncthreads();

    for (uint distance = 64; distance > 0; distance /= 2) {
        if (t < distance) p[i] += p[i + distance];
        __syncthreads();
    }

    if (t == 0) q[blockIdx.x] = p[i];
}
