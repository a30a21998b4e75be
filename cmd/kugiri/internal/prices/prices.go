// Package prices reads files of prices.
package prices

import (
	"fmt"

	"github.com/kugiri-db/kugiri/conventions/pricing"
	"github.com/kugiri-db/kugiri/storage/budget"
)

// Read reads a file of prices; without a name the prices are those of us-east-1.
func Read(file string) (pricing.Prices, error) {
	if file == "" {
		return pricing.List(), nil
	}
	text, err := budget.ReadFile(file, budget.SettingBytes)
	if err != nil {
		return pricing.Prices{}, err
	}
	prices, err := pricing.Parse(text)
	if err != nil {
		return prices, fmt.Errorf("%s: %w", file, err)
	}
	return prices, nil
}
