package permit

import (
	"strings"

	"github.com/kugiri-db/kugiri/conventions/api"
)

// wordsInExpressions are the words of expressions that are not attributes. All of them are
// reserved.
var wordsInExpressions = map[string]bool{
	"AND": true, "OR": true, "NOT": true, "BETWEEN": true, "IN": true,
	"SET": true, "REMOVE": true, "ADD": true, "DELETE": true,
}

// namesInExpression returns the top-level attributes that an expression names, with the names of
// ExpressionAttributeNames. The expression may be invalid; the operation then refuses it.
func namesInExpression(text string, names placeholders) (found []string) {
	for i := 0; i < len(text); {
		word := text[i : i+wordLength(text[i:])]
		if word == "" {
			i++
			continue
		}
		i += len(word)
		nested := strings.HasSuffix(strings.TrimRight(text[:i-len(word)], " \t\r\n"), ".")
		call := strings.HasPrefix(strings.TrimLeft(text[i:], " \t\r\n"), "(")
		switch {
		case nested, word[0] == ':', word[0] >= '0' &&
			word[0] <= '9', wordsInExpressions[strings.ToUpper(word)]:
		case word[0] == '#':
			found = append(found, names.attribute(word))
		case !call:
			found = append(found, word)
		}
	}
	return found
}

// placeholders are the attributes that placeholders of a part of a request stand for.
type placeholders map[string]string

func placeholdersOf(names api.Map[api.AttributeName]) placeholders {
	all := make(placeholders, len(names))
	for i := range names {
		all[names[i].Key] = string(names[i].Value)
	}
	return all
}

// attribute returns the attribute that a placeholder stands for, or the placeholder.
func (p placeholders) attribute(placeholder string) string {
	if name, ok := p[placeholder]; ok {
		return name
	}
	return placeholder
}

// wordLength returns the length of the word or placeholder that a text begins with, or 0.
func wordLength(text string) int {
	for i := range len(text) {
		switch b := text[i]; {
		case 'a' <= b && b <= 'z', 'A' <= b && b <= 'Z', '0' <= b && b <= '9', b == '_':
		case i == 0 && (b == '#' || b == ':'):
		default:
			return i
		}
	}
	return len(text)
}
