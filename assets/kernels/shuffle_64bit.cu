/*
A shuffle of doubles. The instruction moves 32 bits, so a double travels as two halves in two shuffles: 8 in the four
warps here. In neighbour_shuffle a float takes one. The overload of __shfl_sync for doubles does the same; here it is
written out.

[lanescope]
grid = 2
block = 64

[buffers]
p = "f64 i:128"

[buffers.q]
type = "f64"
axes = "i:128"
init = "zeros"
expect = "sha256 c00a4131b4e80f939a1ab934e7496d3a590df5b6930358d9ea683acec0867b5b"
*/
__device__ double shuffled(double x, int lane)
{
    int low = __shfl_sync(0xffffffff, __double2loint(x), lane);
    int high = __shfl_sync(0xffffffff, __double2hiint(x), lane);
    return __hiloint2double(high, low);
}

__global__ void __launch_bounds__(64) shuffle_64bit(const double *p, double *q)
{
    double x = p[64 * blockIdx.x + threadIdx.x];

    // x has the following register assignment:
    //   thread:    t4 t3 t2 t1 t0  <->  i4 i3 i2 i1 i0
    //   warp:      w0              <->  i5
    //   block:     b0              <->  i6

    x = shuffled(x, threadIdx.x ^ 1);

    // x has register assignment:
    //   thread:    t4 t3 t2 t1 t0  <->  i4 i3 i2 i1 ~i0
    //   warp:      w0              <->  i5
    //   block:     b0              <->  i6

    q[64 * blockIdx.x + threadIdx.x] = x;
}
