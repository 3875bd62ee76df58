/*
Third wrong assumption of implicit warp synchrony: in one statement all lanes read before one of them writes. In each
of these lines a lane adds what lies further up in shared memory, while the lane there replaces it. tail_synced is the
same sum with its barriers, tail_unsynced the same mistake in another form. The other two assumptions are
assume_convergence and assume_lockstep.

[lanescope]
block = 32

[buffers]
p = "u32 i:48"

[buffers.q]
type = "u32"
axes = "i:1"
init = "zeros"
expect = "sha256 2fce2cebc4d29f5ebbaa9dfe3909dad279f64813f47ebdc8f433843bf721ee10"
*/
__global__ void __launch_bounds__(32) assume_order(const uint *p, uint *q)
{
    __shared__ volatile uint sums[64];
    uint t = threadIdx.x;

    sums[t] = p[t];
    sums[t + 32] = t < 16 ? p[t + 32] : 0;
    __syncwarp();

    // lanescope: expect warp-sync-missing
    sums[t] += sums[t + 32];
    sums[t] += sums[t + 16];
    sums[t] += sums[t + 8];
    sums[t] += sums[t + 4];
    sums[t] += sums[t + 2];
    sums[t] += sums[t + 1];

    if (t == 0) q[0] = sums[0];
}
