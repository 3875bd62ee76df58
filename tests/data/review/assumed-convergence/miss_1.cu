/*
Whoever is there votes: any set of lanes will do.

[lanescope]
block = 32

[buffers]
p = "u32 i:1024"
q = "u32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(32) k(const unsigned *p, unsigned *q)
{
    unsigned x = p[threadIdx.x];
    if (x % 3 == 0) {
        unsigned here = __activemask();
        if (__all_sync(here, x % 2 == 0)) q[threadIdx.x] = x;
    }
}
