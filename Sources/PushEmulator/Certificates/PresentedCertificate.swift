internal import COpenSSL

/// The one owner of an X.509 certificate that somebody else made. What it says is copied out.
struct PresentedCertificate: ~Copyable {
  private let pointer: OpaquePointer

  /// Reads DER; nil when the bytes are no certificate.
  init?(_ der: [UInt8]) {
    defer { ERR_clear_error() }
    let pointer = der.withUnsafeBufferPointer { bytes in
      var next = bytes.baseAddress
      return d2i_X509(nil, &next, bytes.count)
    }
    guard let pointer else { return nil }
    self.pointer = pointer
  }

  deinit { X509_free(pointer) }

  /// The first attribute of the subject with this id, as text; nil when there is none.
  func subject(_ attribute: Int32) -> String? {
    let name = X509_get_subject_name(pointer)
    let index = X509_NAME_get_index_by_NID(name, attribute, -1)
    guard index >= 0, let entry = X509_NAME_get_entry(name, index) else { return nil }
    var text: UnsafeMutablePointer<UInt8>?
    let count = ASN1_STRING_to_UTF8(&text, X509_NAME_ENTRY_get_data(entry))
    defer { ERR_clear_error() }
    guard count >= 0, let text else { return nil }
    defer { fanfare_free(text) }
    return String(decoding: UnsafeBufferPointer(start: text, count: Int(count)), as: UTF8.self)
  }

  /// The value of the first extension with this object id; nil when there is none.
  func `extension`(_ objectID: String) -> [UInt8]? {
    guard let object = OBJ_txt2obj(objectID, 1) else { return nil }
    defer { ASN1_OBJECT_free(object) }
    let index = X509_get_ext_by_OBJ(pointer, object, -1)
    guard index >= 0, let value = X509_EXTENSION_get_data(X509_get_ext(pointer, index)) else {
      return nil
    }
    let bytes = UnsafeBufferPointer(
      start: ASN1_STRING_get0_data(value), count: Int(ASN1_STRING_length(value)))
    return Array(bytes)
  }

  /// From when until when it is valid, in seconds since 1970; nil when it does not say that well.
  var validity: (notBefore: Int, notAfter: Int)? {
    guard let start = seconds(X509_get0_notBefore(pointer)),
      let end = seconds(X509_get0_notAfter(pointer))
    else { return nil }
    return (start, end)
  }

  private func seconds(_ time: UnsafePointer<ASN1_TIME>?) -> Int? {
    guard let epoch = ASN1_TIME_set(nil, 0) else { return nil }
    defer {
      ASN1_STRING_free(epoch)
      ERR_clear_error()
    }
    var (days, seconds): (Int32, Int32) = (0, 0)
    guard ASN1_TIME_diff(&days, &seconds, epoch, time) == 1 else { return nil }
    return Int(days) * 86_400 + Int(seconds)
  }
}
