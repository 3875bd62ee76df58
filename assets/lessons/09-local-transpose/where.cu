/*
The lane that holds p[0,5,6], element 16 * 5 + 6, prints itself.

[lanescope]
block = [32, 16]

[buffers]
p = "u16 i:16 j:16 k:16"
*/
__global__ void __launch_bounds__(512) where(const unsigned short *p)
{
    uint s = 2 * threadIdx.x + 256 * threadIdx.y;

    for (uint r = 0; r < 4; r++) {
        uint x = *(const uint *)(p + s + 64 * r);
        if ((x & 0xffff) == 86) printf("register %u, lower half\n", r);
        if (x >> 16 == 86) printf("register %u, upper half\n", r);
    }
}
