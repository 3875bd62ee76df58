/*
The reversal of reverse_shared without any synchronisation: a thread exchanges two characters, which no other thread
touches. Half of the threads do it all.

[lanescope]
block = 512

[buffers]
text = "u8 i:1000"
*/
__global__ void __launch_bounds__(512) reverse_pairs(unsigned char *text, uint n)
{
    uint i = threadIdx.x;
    if (i >= n / 2) return;

    // lanescope: expect partial-lines (32 characters of a warp are a sector)
    unsigned char c = text[i], d = text[n - 1 - i];

    // c has the following register assignment:
    //   thread:    t4 t3 t2 t1 t0  <->  i4 i3 i2 i1 i0
    //   warp:      w3 w2 w1 w0     <->  i8 i7 i6 i5

    text[i] = d;
    text[n - 1 - i] = c;
}
