internal import CNGHTTP2

/// A request and its answer, reused for further requests so that a push costs no allocation.
///
/// After `submit`, an exchange belongs to its session until that hands it back.
public final class Exchange {
  /// The way a request ended.
  public enum End: Sendable, Hashable {
    /// A complete final status arrived; the body may be missing or truncated.
    case answered
    /// The server certainly did not process the request because the connection ended first. It can
    /// safely be sent again.
    case notProcessed
    /// The server certainly did not process the request because it refused it (RST_STREAM with
    /// REFUSED_STREAM, RFC 9113 section 8.7). It can be sent again, but may be refused again.
    case refused
    /// The server may have processed the request. The code is from RST_STREAM; nil if the
    /// connection was lost.
    case inDoubt(errorCode: UInt32?)
  }

  /// The default limit on the bytes kept of an answer's body.
  public static let bodyLimit = 4096

  /// A number for the owner's use.
  public var tag = 0

  /// The final status; 0 if none arrived.
  public private(set) var status = 0

  /// The header fields of the final answer, including `:status`.
  public private(set) var headers = HeaderBlock()

  /// The answer's body, up to the limit.
  public private(set) var body: [UInt8] = []

  /// The way the request ended; nil until then.
  public private(set) var end: End?

  private(set) var streamID: Int32 = 0
  private enum Stage { case idle, ready, open }
  private var stage = Stage.idle
  private(set) var headersSent = false
  private var isTrailer = false
  var openIndex = 0

  private let requestBody = OutgoingBody()
  private var head: RequestHead?
  private let pathCapacity: Int
  private let bodyLimit: Int
  private let path: UnsafeMutablePointer<UInt8>
  private let varying: UnsafeMutablePointer<UInt8>
  private static let varyingCapacity = 64
  private var fields: UnsafeMutableBufferPointer<nghttp2_nv>

  /// Creates an exchange whose path has room for this many bytes after the head's prefix.
  ///
  /// - Parameter bodyLimit: the number of bytes of the answer's body to keep; the rest is dropped.
  public init(pathCapacity: Int = 512, bodyLimit: Int = Exchange.bodyLimit) {
    self.pathCapacity = pathCapacity + 64
    self.bodyLimit = bodyLimit
    path = .allocate(capacity: self.pathCapacity)
    varying = .allocate(capacity: Self.varyingCapacity)
    fields = .allocate(capacity: 0)
  }

  deinit {
    path.deallocate()
    varying.deallocate()
    fields.deallocate()
  }

  /// Prepares the exchange to be submitted, with the head's own body.
  ///
  /// - Parameters:
  ///   - head: the common part of the requests.
  ///   - pathEnd: the path after the head's prefix.
  ///   - write: writes the value of the head's varying field, at most 64 bytes, and returns its
  ///     length.
  /// - Returns: false if the path or the varying value does not fit, or the exchange is still open;
  ///   it is not prepared then, and no session accepts it.
  public func prepare(
    _ head: RequestHead, pathEnd: UnsafeBufferPointer<UInt8>,
    varying write: (UnsafeMutableBufferPointer<UInt8>) -> Int
  ) -> Bool {
    guard prepare(head, pathEnd, write) else { return false }
    requestBody.lend(UnsafeBufferPointer(head.body))
    stage = .ready
    return true
  }

  /// Prepares the exchange to be submitted, with a body of its own, which is copied.
  ///
  /// See the other `prepare` for the parameters.
  public func prepare(
    _ head: RequestHead, pathEnd: UnsafeBufferPointer<UInt8>, body: [UInt8],
    varying write: (UnsafeMutableBufferPointer<UInt8>) -> Int
  ) -> Bool {
    body.withUnsafeBufferPointer {
      prepare(head, pathEnd: pathEnd, copyingBody: $0, varying: write)
    }
  }

  /// Prepares the exchange to be submitted, copying a borrowed body.
  ///
  /// See the first `prepare` for the parameters.
  public func prepare(
    _ head: RequestHead, pathEnd: UnsafeBufferPointer<UInt8>,
    copyingBody body: UnsafeBufferPointer<UInt8>,
    varying write: (UnsafeMutableBufferPointer<UInt8>) -> Int
  ) -> Bool {
    guard prepare(head, pathEnd, write) else { return false }
    requestBody.load(copying: body)
    stage = .ready
    return true
  }

  /// Checks whether the final answer has a header field of this name, given in lowercase.
  public func hasHeader(_ name: StaticString) -> Bool { headers.firstIndex(of: name) != nil }

  private func prepare(
    _ head: RequestHead, _ pathEnd: UnsafeBufferPointer<UInt8>,
    _ write: (UnsafeMutableBufferPointer<UInt8>) -> Int
  ) -> Bool {
    guard stage != .open else { return false }
    reset()
    guard head.pathPrefix.count + pathEnd.count <= pathCapacity else { return false }
    if self.head !== head { adopt(head) }
    if let start = pathEnd.baseAddress {
      (path + head.pathPrefix.count).update(from: start, count: pathEnd.count)
    }
    fields[RequestHead.pathIndex].valuelen = head.pathPrefix.count + pathEnd.count
    let length = write(.init(start: varying, count: Self.varyingCapacity))
    guard (0...Self.varyingCapacity).contains(length) else { return false }
    fields[fields.count - 1].valuelen = length
    return true
  }

  private func adopt(_ head: RequestHead) {
    self.head = head
    fields.deallocate()
    fields = .allocate(capacity: head.fieldCount)
    _ = fields.initialize(from: UnsafeBufferPointer(start: head.fields, count: head.fieldCount))
    head.pathPrefix.withUnsafeBufferPointer { prefix in
      if let start = prefix.baseAddress { path.update(from: start, count: prefix.count) }
    }
    fields[RequestHead.pathIndex].value = path
    fields[fields.count - 1].value = varying
  }

  private func reset() {
    stage = .idle
    status = 0
    headers.removeAll()
    if !body.isEmpty { body.removeAll(keepingCapacity: true) }
    end = nil
    headersSent = false
    isTrailer = false
  }
}

// Operations for the session.
extension Exchange {
  func submit(to session: OpaquePointer) throws(SessionError) {
    guard stage == .ready else { throw SessionError(Int(NGHTTP2_ERR_INVALID_ARGUMENT.rawValue)) }
    let owner = Unmanaged.passUnretained(self).toOpaque()
    let stream = requestBody.withProvider { provider in
      nghttp2_submit_request(session, nil, fields.baseAddress, fields.count, provider, owner)
    }
    if stream < 0 { throw SessionError(Int(stream)) }
    streamID = stream
    stage = .open
  }

  func markHeadersSent() { headersSent = true }

  /// Begins a header block. After a final status it is a trailer; after a 1xx status it is not.
  func beginHeaders() {
    isTrailer = status >= 200
    if !isTrailer {
      headers.removeAll()
      status = 0
    }
  }

  /// - Returns: false if there are far too many fields; those received then count as complete.
  func receiveHeader(
    name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    if isTrailer {
      headers.leaveOut(name: name, value: value)
    } else {
      headers.append(name: name, value: value)
    }
    if headers.isExcessive { endHeaders() }
    return !headers.isExcessive
  }

  func endHeaders() {
    if !isTrailer { status = headers.firstIndex(of: ":status").map(number(at:)) ?? 0 }
  }

  /// A field's value; nghttp2 has checked that it is three digits (RFC 9113 section 8.3.2).
  private func number(at index: Int) -> Int {
    headers.withField(at: index) { _, value in
      value.prefix(3).reduce(0) { $0 * 10 + Int($1 & 0x0F) }
    }
  }

  func receiveBody(_ bytes: UnsafeBufferPointer<UInt8>) {
    body.append(contentsOf: bytes.prefix(bodyLimit - body.count))
  }

  /// - Parameter goAway: the peer's GOAWAY, if there was one.
  func closed(errorCode: UInt32?, _ goAway: GoAway?) {
    stage = .idle
    requestBody.clear()
    if status >= 200 {
      end = .answered
    } else if !headersSent || streamID > goAway?.lastStream ?? .max {
      end = .notProcessed
    } else if errorCode == NGHTTP2_REFUSED_STREAM.rawValue {
      end = .refused
    } else {
      end = .inDoubt(errorCode: errorCode)
    }
  }
}
