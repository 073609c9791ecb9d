package import Foundation

#if canImport(Glibc)
package let streamSocket = Int32(SOCK_STREAM.rawValue)
#else
package let streamSocket = SOCK_STREAM
#endif

/// Calls `bind` or `connect` with a port on 127.0.0.1.
package func onLoopback(
  port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
) -> Int32 {
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_port = port.bigEndian
  address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
  return withUnsafePointer(to: &address) { pointer in
    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
    }
  }
}

/// The port that a socket is bound to.
package func boundPort(of descriptor: Int32) -> UInt16 {
  var address = sockaddr_in()
  var size = socklen_t(MemoryLayout<sockaddr_in>.size)
  withUnsafeMutableBytes(of: &address) {
    _ = getsockname(descriptor, $0.baseAddress?.assumingMemoryBound(to: sockaddr.self), &size)
  }
  return UInt16(bigEndian: address.sin_port)
}
