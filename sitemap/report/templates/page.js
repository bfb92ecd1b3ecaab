"use strict";
(function () {
  var form = document.getElementById("filter");
  if (!form) return;
  var cards = Array.prototype.slice.call(document.querySelectorAll("article.card"));
  var groups = Array.prototype.slice.call(document.querySelectorAll("section.group"));
  var shown = document.getElementById("shown");
  var texts = cards.map(function (card) { return card.textContent.toLowerCase(); });
  function apply() {
    var severities = Array.prototype.map.call(
      form.querySelectorAll("input[name=severity]:checked"), function (box) { return box.value; });
    var clause = form.elements.clause.value;
    var rule = form.elements.rule.value;
    var words = form.elements.text.value.toLowerCase().split(/\s+/).filter(Boolean);
    var count = 0;
    cards.forEach(function (card, i) {
      var fits = severities.indexOf(card.dataset.severity) >= 0 &&
        (!clause || card.dataset.clauses.indexOf("|" + clause + "|") >= 0) &&
        (!rule || card.dataset.rule === rule) &&
        words.every(function (word) { return texts[i].indexOf(word) >= 0; });
      card.hidden = !fits;
      if (fits) count += 1;
    });
    groups.forEach(function (group) {
      group.hidden = !group.querySelector("article.card:not([hidden])");
    });
    document.querySelectorAll("a.marker").forEach(function (mark) {
      var card = document.getElementById(mark.getAttribute("href").slice(1));
      mark.classList.toggle("faded", Boolean(card && card.hidden));
    });
    shown.textContent = count === cards.length ? "All " + count + " findings are shown."
      : count + " of " + cards.length + " findings are shown; the others are filtered out.";
  }
  function reveal() {
    var card = location.hash && document.getElementById(location.hash.slice(1));
    if (!card || !card.classList.contains("card")) return;
    if (card.hidden) { form.reset(); apply(); card.scrollIntoView(); }
    card.focus({ preventScroll: true });
  }
  form.addEventListener("input", apply);
  form.addEventListener("change", apply);
  form.addEventListener("reset", function () { setTimeout(apply, 0); });
  form.addEventListener("submit", function (event) { event.preventDefault(); });
  window.addEventListener("hashchange", reveal);
  form.hidden = false;
  apply();
  reveal();
}());
