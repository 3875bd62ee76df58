/*
The sum of reduce_unrolled8 without any loop: a block has 128 threads, so that every round can be written out: warps
arrive at barriers of the block 16 times instead of 64. The last six belong to one warp, with a barrier of the warp
between the read of a lane and the write of another; reduce_unrolled_warp lacks it. In reduce_template the
compiler writes the rounds, for any block.

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
__global__ void __launch_bounds__(128) reduce_unrolled_fully(uint *p, uint *q, uint n)
{
    uint t = threadIdx.x, i = 1024 * blockIdx.x + t;

    uint x[8];
    #pragma unroll
    for (uint k = 0; k < 8; k++) x[k] = i + 128 * k < n ? p[i + 128 * k] : 0;
    p[i] = ((x[0] + x[1]) + (x[2] + x[3])) + ((x[4] + x[5]) + (x[6] + x[7]));
    __syncthreads();

    if (t < 64) p[i] += p[i + 64];
    __syncthreads();

    // lanescope: expect partial-lines, narrow-access (p[i + 32] is of another lane)
    if (t < 32) {
        uint sum = p[i] + p[i + 32];
        __syncwarp();
        p[i] = sum;
        __syncwarp();
        sum += p[i + 16];
        __syncwarp();
        p[i] = sum;
        __syncwarp();
        sum += p[i + 8];
        __syncwarp();
        p[i] = sum;
        __syncwarp();
        sum += p[i + 4];
        __syncwarp();
        p[i] = sum;
        __syncwarp();
        sum += p[i + 2];
        __syncwarp();
        p[i] = sum;
        __syncwarp();
        sum += p[i + 1];
        if (t == 0) q[blockIdx.x] = sum;
    }
}
