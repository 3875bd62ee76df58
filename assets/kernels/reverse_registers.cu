/*
The reversal of reverse_shared without shared memory: each thread keeps the character that belongs to its place in a
register. The barrier stays, since the character's own place is overwritten by another thread; __syncthreads() orders
accesses to global memory, too, among the threads of a block.

[lanescope]
block = 1024

[buffers]
text = "u8 i:1000"
*/
__global__ void __launch_bounds__(1024) reverse_registers(unsigned char *text, uint n)
{
    uint i = threadIdx.x;
    unsigned char c = 0;

    // lanescope: expect partial-lines (32 characters of a warp are a sector)
    if (i < n) c = text[n - 1 - i];
    __syncthreads();
    if (i < n) text[i] = c;
}
