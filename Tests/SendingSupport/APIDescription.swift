import Foundation
package import JSONText
import TestSupport
import Testing

/// A description of an API in docs, in OpenAPI 3.1.
package struct APIDescription {
  package struct Call: CustomTestStringConvertible {
    package var method: String
    package var path: String
    package var operation: JSON

    package var testDescription: String { "\(method) \(path)" }

    /// The path with the example of each parameter that has one.
    package var example: String {
      var (path, query) = (path, [String]())
      for parameter in operation["parameters"]?.array ?? [] {
        guard let name = parameter["name"]?.string, let value = parameter["example"] else {
          continue
        }
        let text = value.string ?? value.encodedString()
        switch parameter["in"]?.string {
        case "path": path = path.replacing("{\(name)}", with: text)
        case "query": query.append("\(name)=\(text)")
        default: break
        }
      }
      return path + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
    }

    package var body: String {
      let content = operation["requestBody"]?["content"]?["application/json"]
      return content?["example"]?.encodedString() ?? ""
    }
  }

  package let json: JSON

  package init(_ name: String) throws {
    let file = projectFolder.appending(path: "docs/\(name)")
    json = try JSONReader().read(Array(try Data(contentsOf: file.standardizedFileURL)))
  }

  package var calls: [Call] {
    (json["paths"]?.object?.members ?? []).flatMap { path in
      (path.value.object?.members ?? []).map {
        Call(method: $0.key.uppercased(), path: path.key, operation: $0.value)
      }
    }
  }

  /// A value with what its references stand for.
  package func resolved(_ value: JSON) -> JSON {
    if let reference = value["$ref"]?.string {
      let names = reference.split(separator: "/").dropFirst().map(String.init)
      return resolved(names.reduce(json) { $0[$1] ?? nil })
    }
    switch value.content {
    case .array(let elements): return JSON(.array(elements.map(resolved)))
    case .object(let object):
      return JSON(
        .object(
          JSONObject(object.members.map { JSONMember(key: $0.key, value: resolved($0.value)) })))
    default: return value
    }
  }
}
