/* Bitonic sort of 128 numbers.
[lanescope]
block = 128
[buffers]
data = "s32 n:128 = random 11"
*/
__global__ void __launch_bounds__(128) bitonic(int *data)
{
    __shared__ int s[128];
    const unsigned t = threadIdx.x;
    s[t] = data[t];
    for (unsigned size = 2; size <= 128; size <<= 1)
        for (unsigned step = size >> 1; step > 0; step >>= 1) {
            __syncthreads();
            const unsigned other = t ^ step;
            if (other > t) {  // lanescope: allow divergence
                const int a = s[t], b = s[other];
                if ((a > b) == ((t & size) == 0)) {  // lanescope: allow divergence
                    s[t] = b;
                    s[other] = a;
                }
            }
        }
    __syncthreads();
    data[t] = s[t];
}
