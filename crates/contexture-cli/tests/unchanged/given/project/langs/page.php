<?php
namespace Tide;

/** A page about one station. */
class Page
{
    public function __construct(private string $station) {}

    public function title(): string
    {
        return "Levels at " . $this->station;
    }
}

function render(Page $page): string
{
    return "<h1>" . $page->title() . "</h1>";
}
