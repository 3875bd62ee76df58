/* One bit per sample; a ballot turns 32 samples of 32 lanes.
[lanescope]
block = 32
[buffers]
p = "u32 n:32"
q = "u32 n:32 = zeros"
*/
__global__ void __launch_bounds__(32) planes(const unsigned *p, unsigned *q)
{
    const unsigned mine = p[threadIdx.x];
    unsigned plane = 0;
    for (int bit = 0; bit < 32; ++bit) {
        const unsigned votes = __ballot_sync(0xffffffffu, mine >> bit & 1);
        if (threadIdx.x == bit) plane = votes;
    }
    q[threadIdx.x] = plane;
}
