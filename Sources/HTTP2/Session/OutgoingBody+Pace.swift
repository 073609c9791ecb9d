internal import CNGHTTP2

extension OutgoingBody {
  /// The pacing of a body that does not simply fill the frames.
  struct Pace {
    private let frameLimit: Int
    private var allowance: Int
    private let trailers: [Field]

    /// - Parameters:
    ///   - frameLimit: the maximum number of bytes in one DATA frame.
    ///   - allowance: the number of bytes to send before more are allowed.
    ///   - trailers: the fields after the last byte.
    init(frameLimit: Int, allowance: Int, trailers: [Field]) {
      self.frameLimit = frameLimit
      self.allowance = allowance
      self.trailers = trailers
    }

    var hasTrailers: Bool { !trailers.isEmpty }

    /// Allows more bytes to be sent.
    mutating func allow(_ bytes: Int) {
      allowance = allowance.addingReportingOverflow(bytes).overflow ? .max : allowance + bytes
    }

    /// Takes as many of the `rest` bytes as may be sent now, and returns their number.
    mutating func take(_ rest: Int) -> Int {
      let count = min(rest, frameLimit, allowance)
      if allowance != .max { allowance -= count }
      return count
    }

    /// Submits the trailers that follow the body; returns false if there are none.
    func submitTrailers(_ session: OpaquePointer?, _ stream: Int32) -> Bool {
      guard hasTrailers else { return false }
      var fields = FieldBuffer()
      fields.fill(trailers)
      return fields.withNameValues {
        nghttp2_submit_trailer(session, stream, $0.baseAddress, $0.count) == 0
      }
    }
  }
}
