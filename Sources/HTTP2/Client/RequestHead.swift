internal import CNGHTTP2

/// The common part of many requests: everything but the end of the path, the value of one field, and
/// a body of their own, laid out once in nghttp2's format.
///
/// `@unchecked Sendable` because its memory is written only in `init`.
public final class RequestHead: @unchecked Sendable {
  /// The start of `:path`, for example `/3/device/`.
  let pathPrefix: [UInt8]

  /// The fields in nghttp2's format: method, scheme, authority, path (to be filled in), the
  /// constant ones, and last the varying one (to be filled in).
  let fields: UnsafeMutablePointer<nghttp2_nv>
  let fieldCount: Int

  /// The body of requests that have none of their own.
  let body: UnsafeMutableBufferPointer<UInt8>

  static let pathIndex = 3
  private let text: UnsafeMutablePointer<UInt8>

  /// Creates the common part of requests to `https://authority/pathPrefix…`.
  ///
  /// - Parameters:
  ///   - method: the method.
  ///   - authority: the host, with the port unless it is 443.
  ///   - pathPrefix: the start of the path.
  ///   - fields: the constant header fields.
  ///   - varying: the name of the field whose value differs in each request.
  ///   - body: the body of requests that have none of their own.
  public init(
    method: String = "POST", authority: String, pathPrefix: String, fields: [Field],
    varying: String, body: [UInt8] = []
  ) {
    let rows =
      [
        Field(":method", method), Field(":scheme", "https"), Field(":authority", authority),
        Field(":path", ""),
      ] + fields + [Field(varying, "", indexing: .never)]
    self.pathPrefix = Array(pathPrefix.utf8)
    self.body = .allocate(capacity: body.count)
    _ = self.body.initialize(from: body)
    fieldCount = rows.count
    self.fields = .allocate(capacity: rows.count)
    text = .allocate(capacity: rows.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count })
    layOut(rows)
  }

  deinit {
    fields.deallocate()
    text.deallocate()
    body.deallocate()
  }

  private func layOut(_ rows: [Field]) {
    var next = text
    for (index, row) in rows.enumerated() {
      let name = next
      next = Self.copy(row.name, to: next)
      let value = next
      next = Self.copy(row.value, to: next)
      fields[index] = nghttp2_nv(
        name: name, value: value, namelen: value - name, valuelen: next - value,
        flags: row.indexing.flags)
    }
  }

  private static func copy(
    _ text: String, to target: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    var next = target
    for byte in text.utf8 {
      next.initialize(to: byte)
      next += 1
    }
    return next
  }
}

extension Field.Indexing {
  /// Names and values are not copied: they stay in place while the request is open.
  var flags: UInt8 {
    let kept = NGHTTP2_NV_FLAG_NO_COPY_NAME.rawValue | NGHTTP2_NV_FLAG_NO_COPY_VALUE.rawValue
    return switch self {
    case .automatic: UInt8(kept)
    case .never: UInt8(kept | NGHTTP2_NV_FLAG_NO_INDEX.rawValue)
    }
  }
}
