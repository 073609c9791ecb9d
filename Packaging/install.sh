#!/bin/sh
# Installs fanfare from a release. `make release` writes the project's address into its copy.
set -eu
umask 022

project=${FANFARE_PROJECT:-@PROJECT@}
files='bin/fanfare
share/man/man1/fanfare.1
share/bash-completion/completions/fanfare
share/zsh/site-functions/_fanfare
share/fish/vendor_completions.d/fanfare.fish'

usage() {
  cat <<END
Installs fanfare from a release, with its manual page and completions.

Usage: curl -fsSL $project/releases/latest/download/install.sh | sh
       curl -fsSL $project/releases/latest/download/install.sh | sh -s -- OPTION...

  --version VERSION   Install this release rather than the newest.
  --prefix FOLDER     Install below this folder. Default: \$PREFIX, or ~/.local.
  --libraries         Install missing libraries too, with sudo unless you are root.
  --uninstall         Remove what was installed below the folder.
  -h, --help          Show this help.

The archive is checked against the release's SHA256SUMS and, if gh is signed in,
against the record of the build that made it.

Exit code: 0 done, 1 failed, 2 refused. What was installed before stays until a
new program is there as a whole.
END
}

say() { echo "install: $*"; }
fail() { say "$*" >&2; exit 1; }
refuse() { say "$*" >&2; exit 2; }
have() { command -v "$1" >/dev/null 2>&1; }

read_options() {
  version='' libraries=false uninstall=false
  prefix=${PREFIX:-${HOME:+$HOME/.local}}
  while [ $# -gt 0 ]; do
    case $1 in
      -h | --help) usage; exit 0 ;;
      --libraries) libraries=true ;;
      --uninstall) uninstall=true ;;
      --version | --prefix)
        [ "${2:-}" ] || refuse "$1 needs a value (try --help)"
        if [ "$1" = --version ]; then version=${2#v}; else prefix=$2; fi
        shift ;;
      *) refuse "unknown option '$1' (try --help)" ;;
    esac
    shift
  done
  [ "$prefix" ] || refuse "HOME is not set; name a folder with --prefix"
}

check_project() {
  case $project in
    https://* | http://127.0.0.1:*) ;;
    @*) refuse "set FANFARE_PROJECT to the project's address, such as https://github.com/OWNER/fanfare" ;;
    *) refuse "$project is not an https address" ;;
  esac
}

fetch() { # address, file
  if have curl; then
    curl --fail --silent --show-error --location --proto "=${project%%:*}" --output "$2" "$1"
  elif have wget; then wget --quiet --output-document "$2" "$1"
  else refuse "needs curl or wget"
  fi
}

# The system and its version; Debian's unstable release has no version.
find_system() (
  case $(uname -s) in
    Darwin) echo "macos $(sw_vers -productVersion | cut -d . -f 1)" ;;
    Linux)
      ID=linux
      # shellcheck source=/dev/null
      if [ -r /etc/os-release ]; then . /etc/os-release; fi
      echo "$ID ${VERSION_ID:-9999}" ;;
    *) uname -sr ;;
  esac
)

# Of the archives for this system the one made on the newest version that is not newer than this.
find_archive() { # system, version, with SHA256SUMS on standard input
  awk -v name="$1" -v version="$2" -v machine="$(uname -m)" '
    $2 ~ "^fanfare-[0-9.]+-" name "[0-9.]+-" machine "[.]tar[.]gz$" {
      made = $2
      sub(".*-" name, "", made)
      sub("-.*", "", made)
      if (made + 0 <= version + 0 && made + 0 >= best + 0) { best = made; line = $0 }
    }
    END { print line }'
}

get_archive() {
  releases=$project/releases/latest/download
  if [ "$version" ]; then releases=$project/releases/download/v$version; fi
  fetch "$releases/SHA256SUMS" "$work/SHA256SUMS" || fail "there is no release at $releases"
  system=$(find_system)
  # shellcheck disable=SC2086
  line=$(find_archive $system <"$work/SHA256SUMS")
  archive=${line#*  }
  [ "$archive" ] || refuse "there is no archive for ${system% 9999} on $(uname -m)." \
    "$project says how to build fanfare"
  folder=${archive%.tar.gz}
  version=${folder#fanfare-}
  version=${version%%-*}
  # The newest release may have become another one meanwhile.
  fetch "$project/releases/download/v$version/$archive" "$work/$archive" ||
    fail "$archive did not arrive; nothing was changed"
}

check_archive() {
  if have sha256sum; then sum=$(sha256sum "$work/$archive")
  else sum=$(shasum -a 256 "$work/$archive")
  fi
  [ "${sum%% *}" = "${line%% *}" ] ||
    fail "$archive is not the file that SHA256SUMS lists; nothing was changed"
  if have gh && gh attestation --help >/dev/null 2>&1 && gh auth status >/dev/null 2>&1; then
    repository=${project#*://*/}
    gh attestation verify "$work/$archive" --repo "$repository" >"$work/attestation" 2>&1 || {
      cat "$work/attestation" >&2
      fail "no build of $repository is known to have made $archive; nothing was changed"
    }
    say "verified the checksum, and that $repository built the archive"
  else
    say "verified only the checksum; with gh signed in, also who built the archive"
  fi
}

unpack() {
  tar -xzf "$work/$archive" -C "$work" || fail "$archive cannot be unpacked; nothing was changed"
  for file in $files; do
    [ -f "$work/$folder/$file" ] || fail "$archive lacks $file; nothing was changed"
  done
}

missing_libraries() {
  if [ "$(uname -s)" = Darwin ]; then
    formulas=$(brew --prefix 2>/dev/null || true)/opt
    for formula in curl libmicrohttpd libnghttp2 libpq openssl@3 sqlite; do
      if [ ! -e "$formulas/$formula" ]; then echo "$formula"; fi
    done
  else
    ldd "$work/$folder/bin/fanfare" 2>/dev/null | awk '/=> not found/ && !seen[$1]++ { print $1 }'
  fi
}

# Debian names a library's package after the library: libpq.so.5 is in libpq5. dnf knows libraries by
# their own names.
installation() { # libraries
  sudo=
  if [ "$(id -u)" -ne 0 ]; then sudo='sudo '; fi
  if [ "$(uname -s)" = Darwin ]; then echo "brew install $(echo "$1" | xargs)"
  elif have apt-get; then
    packages=$(echo "$1" |
      sed 's/^libcrypto/libssl/; s/\([0-9]\)\.so\./\1-/; s/\.so\.//' | sort -u | xargs)
    echo "${sudo}apt-get update && ${sudo}apt-get install --yes --no-install-recommends $packages"
  elif have dnf; then
    echo "${sudo}dnf install --assumeyes$(echo "$1" | sed "s/.*/ '&()(64bit)'/" | tr -d '\n')"
  fi
}

provide_libraries() {
  missing=$(missing_libraries)
  if [ -z "$missing" ]; then return; fi
  command=$(installation "$missing")
  if $libraries && [ "$command" ]; then
    say "installing libraries: $command"
    sh -c "$command" || fail "the libraries could not be installed; nothing was changed"
    missing=$(missing_libraries)
    [ -z "$missing" ] || fail "still missing: $(echo "$missing" | xargs); nothing was changed"
  fi
}

# A program that has its libraries must run.
try_program() {
  if [ "$missing" ]; then return; fi
  "$work/$folder/bin/fanfare" version >"$work/version" 2>&1 || {
    cat "$work/version" >&2
    fail "the program of $archive does not run on this machine; nothing was changed"
  }
}

# Each file is replaced as a whole, also while the program is in use.
place() {
  for file in $files; do
    mkdir -p "$prefix/${file%/*}"
    mv -f "$work/$folder/$file" "$prefix/$file"
  done
}

tell() {
  say "fanfare $version is in $prefix/bin"
  if [ "$missing" ]; then
    say "it needs libraries that are not installed: $(echo "$missing" | xargs)"
    if [ "$command" ]; then say "to install them: $command"; fi
  fi
  found=$(command -v fanfare || true)
  case $found in
    "$prefix/bin/fanfare") ;;
    '') say "your PATH lacks it: export PATH=\"$prefix/bin:\$PATH\"" ;;
    *) say "your PATH finds another one first: $found" ;;
  esac
}

remove() {
  [ -e "$prefix/bin/fanfare" ] || refuse "fanfare is not installed below $prefix"
  for file in $files; do rm -f "$prefix/$file"; done
  say "removed fanfare from $prefix"
}

# Called in the last line, so that a script that was cut off on its way does nothing.
main() {
  read_options "$@"
  if $uninstall; then remove; exit 0; fi
  check_project
  # There, because not every /tmp lets a program run, and files can be moved into place.
  work=$(mkdir -p "$prefix" && mktemp -d "$prefix/.fanfare-XXXXXX") ||
    fail "cannot write below $prefix; --prefix names another folder"
  trap 'rm -rf "$work"' EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM
  get_archive
  check_archive
  unpack
  provide_libraries
  try_program
  place
  tell
}

main "$@"
