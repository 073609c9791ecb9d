extension KeptAuthority {
  /// Creates a new authority.
  ///
  /// - Throws: `EmulatorError.certificates`.
  public static func new() throws(EmulatorError) -> KeptAuthority {
    do throws(OpenSSLFailure) {
      return try CertificateAuthority(lifetime: lifetime).kept()
    } catch {
      throw .certificates(call: error.call, detail: error.detail)
    }
  }
}
