/// Lines of an openssl configuration: the extensions of a certificate for pushes, as Apple issues it.
///
/// - Parameters:
///   - environments: 1 for the sandbox, 2 for production.
///   - topics: the kinds of topics that it lists; none leaves the list out.
package func pushExtensions(
  of app: String, environments: [Int] = [1, 2], topics: [String] = ["app", "voip", "complication"]
) -> String {
  let arc = "1.2.840.113635.100.6.3."
  let marks = environments.map { "\(arc)\($0) = ASN1:NULL" }
  if topics.isEmpty { return marks.joined(separator: "\n") }
  let names = topics.enumerated().flatMap { index, topic in
    let name = topic == "app" ? app : "\(app).\(topic)"
    return ["\(2 * index + 1) = UTF8:\(name)", "\(2 * index + 2) = SEQUENCE:\(topic)"]
  }
  let sections = topics.flatMap { ["[\($0)]", "1 = UTF8:\($0)"] }
  return (marks + ["\(arc)6 = ASN1:SEQUENCE:topics", "[topics]"] + names + sections)
    .joined(separator: "\n")
}
