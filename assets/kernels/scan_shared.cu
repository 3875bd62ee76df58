/*
The prefix sums of scan_shuffle through shared memory: a store, a barrier of the warp, a load and another barrier in
each of five steps, where the shuffle needs one instruction and no memory: 40 stores and 40 loads in the eight warps
here against 40 shuffles.

[lanescope]
grid = 2
block = 128

[buffers]
p = "u32 i:256"

[buffers.q]
type = "u32"
axes = "i:256"
init = "zeros"
expect = "sha256 57fcb6b530c4d3c15d5f63cfc7ff37f069cdb0198e119615ecc4da90a6c818f6"
*/
__global__ void __launch_bounds__(128) scan_shared(const uint *p, uint *q)
{
    __shared__ uint sums[128];
    uint lane = threadIdx.x % 32, sum = p[128 * blockIdx.x + threadIdx.x];

    // sum has the following register assignment:
    //   thread:    t4 t3 t2 t1 t0  <->  i4 i3 i2 i1 i0
    //   warp:      w1 w0           <->  i6 i5
    //   block:     b0              <->  i7

    // lanescope: expect divergence (the lowest lanes do not load)
    for (uint distance = 1; distance < 32; distance *= 2) {
        sums[threadIdx.x] = sum;
        __syncwarp();
        if (lane >= distance) sum += sums[threadIdx.x - distance];
        __syncwarp();
    }

    q[128 * blockIdx.x + threadIdx.x] = sum;
}
