/* Each half of an array is turned around and back, warp by warp, in a stream of its own. The two launches of a stream need
their order, and the halves do not meet.
[lanescope]
kernel = "turn"
grid = 4
block = 64

[buffers]
p = "f32 n:512"
t = "f32 n:512 = zeros"
q = { type = "f32", axes = "n:512", init = "zeros", expect = "copy of p" }

[[launch]]
args = ["p", "t"]
[[launch]]
args = ["p+256", "t+256"]
stream = 1
[[launch]]
args = ["t", "q"]
[[launch]]
args = ["t+256", "q+256"]
stream = 1
*/
__global__ void turn(const float *from, float *to)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = from[i];

    // x has the following register assignment:
    //   thread: t4 t3 t2 t1 t0  <->  n4 n3 n2 n1 n0
    //   warp:   w0              <->  n5
    x = __shfl_xor_sync(0xffffffffu, x, 31);
    to[i] = x;
}
