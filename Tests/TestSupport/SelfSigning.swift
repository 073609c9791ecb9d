/// Makes `NAME.pem`, a certificate that the key in `NAME.key` signs for itself.
///
/// - Parameters:
///   - subject: as openssl's `-subj` takes it.
///   - extensions: lines of an openssl configuration.
///   - start: when it becomes valid, as in `20230601000000Z`.
package func signItself(
  _ name: String, subject: String, extensions: String, from start: String, to end: String,
  in folder: TemporaryFolder
) throws {
  try folder.write("\(name).db", "")
  try folder.write("\(name).serial", "0C0FFE\n")
  try folder.write(
    "\(name).cnf",
    """
    [ca]
    default_ca=own
    [own]
    database=\(name).db
    serial=\(name).serial
    new_certs_dir=.
    default_md=sha256
    policy=any
    [any]
    UID=optional
    CN=supplied
    OU=optional
    [req]
    distinguished_name=name
    [name]
    [is]
    basicConstraints=CA:FALSE
    \(extensions)

    """)
  let paths = ["-config", "\(name).cnf", "-out"]
  try runOpenSSL(
    ["req", "-new", "-key", "\(name).key", "-subj", subject] + paths + ["\(name).csr"], in: folder)
  try runOpenSSL(
    ["ca", "-batch", "-notext", "-selfsign", "-keyfile", "\(name).key", "-in", "\(name).csr"]
      + ["-extensions", "is", "-startdate", start, "-enddate", end] + paths + ["\(name).pem"],
    in: folder)
}
