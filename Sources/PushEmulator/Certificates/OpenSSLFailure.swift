internal import COpenSSL

/// A call to OpenSSL that failed, which here means that memory ran out or the library is unfit.
struct OpenSSLFailure: Error, Sendable, Hashable {
  /// The function that failed.
  let call: String
  /// OpenSSL's own words; empty when it has none.
  let detail: String

  /// The failure of a call, with the newest entry of this thread's error queue, which is emptied.
  init(_ call: String) {
    self.call = call
    detail = ERR_reason_error_string(ERR_peek_last_error()).map { String(cString: $0) } ?? ""
    ERR_clear_error()
  }
}

/// Passes a pointer on, or throws when a call gave none.
func made(
  _ pointer: OpaquePointer?, by call: String
) throws(OpenSSLFailure) -> OpaquePointer {
  guard let pointer else { throw OpenSSLFailure(call) }
  return pointer
}

/// Throws unless a call answered with a positive number, which is how OpenSSL says yes.
func expect(_ result: Int32, from call: String) throws(OpenSSLFailure) {
  if result <= 0 { throw OpenSSLFailure(call) }
}

/// What an `i2d` function writes: DER. The function is called once to measure and once to write.
func derBytes(
  _ call: String, _ encode: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32
) throws(OpenSSLFailure) -> [UInt8] {
  let count = encode(nil)
  try expect(count, from: call)
  return [UInt8](unsafeUninitializedCapacity: Int(count)) { buffer, written in
    var next = buffer.baseAddress
    written = max(0, Int(encode(&next)))
  }
}
