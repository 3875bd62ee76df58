/*
A text of up to 1,024 characters, reversed in place by one block: a copy in shared memory, a barrier, and every thread
writes one character of the copy. reverse_registers keeps the copy in registers, reverse_pairs needs no barrier, and
in reverse_unsynchronised it is missing.

[lanescope]
block = 1024

[buffers]
text = "u8 i:1000"
*/
__global__ void __launch_bounds__(1024) reverse_shared(unsigned char *text, uint n)
{
    __shared__ unsigned char copy[1024];
    uint i = threadIdx.x;

    // lanescope: expect partial-lines (32 characters of a warp are a sector)
    if (i < n) copy[i] = text[i];
    __syncthreads();
    if (i < n) text[i] = copy[n - 1 - i];
}
