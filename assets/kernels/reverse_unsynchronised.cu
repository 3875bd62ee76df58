/*
Wrong on purpose: the reversal of reverse_registers without its barrier. A warp that runs ahead overwrites characters
that another one has not yet read, and the text becomes its own mirror image from the middle. reverse_pairs needs no
barrier.

[lanescope]
block = 1024

[buffers]
text = "u8 i:1000"
*/
__global__ void __launch_bounds__(1024) reverse_unsynchronised(unsigned char *text, uint n)
{
    uint i = threadIdx.x;
    // lanescope: expect warp-sync-missing, global-unordered, partial-lines
    if (i < n) text[i] = text[n - 1 - i];
}
