import JSONText

extension RulePair {
  private static func alert(_ text: String, _ variables: [String: JSON] = [:]) -> RuleSample {
    RuleSample().with(body: "{\"aps\":{\"alert\":\"\(text)\"}}").filled(variables)
  }

  private static func own(_ body: String) -> RuleSample {
    RuleSample().with(body: #"{"aps":{"badge":1},"own":{\#(body)}}"#).filled(["name": "Ada"])
  }

  static let templates = [
    RulePair("placeholder-form", broken: alert("Hi {{name"), kept: alert("Hi {{{{name")),
    RulePair("placeholder-form", broken: alert("{{n|upper}}"), kept: alert("{{n|default('a')}}")),
    RulePair(
      "placeholder-key", broken: own(#""{{name}}":1"#), kept: own(#""{{{{name":"{{name}}""#)),
    RulePair(
      "placeholder-unfilled", broken: alert("Hi {{name}}"),
      kept: alert("Hi {{name}}", ["name": "Ada"])),
    RulePair(
      "placeholder-value", broken: alert("{{n|number}} left", ["n": "few"]),
      kept: alert("{{n|number}} left", ["n": "7"])),
    RulePair(
      "placeholder-value", broken: alert("Hi {{name}}", ["name": ["Ada"]]),
      kept: alert("Hi {{name}}", ["name": 7])),
    RulePair(
      "placeholder-value",
      broken: RuleSample().with(body: #"{"aps":{"badge":"{{n}}"}}"#).filled(["n": nil]),
      kept: own(#""n":"{{n}}""#).filled(["n": nil])),
  ]
}
