"""
Words, and the languages they are of
====================================

Samples need not be vectors. A word is a text, and the *spectrum kernel* compares two texts by the short substrings that
they share. That is enough for every method here: :class:`npt.SVC`, :class:`npt.KernelFisher` and the others take lists
of texts in the place of matrices.
"""

# %%
# Three lists of words
# --------------------
# The words are common ones of three languages, without their accents, so that letters alone do not give a language
# away.
import matplotlib.pyplot as plt
import numpy as np
from sklearn.model_selection import StratifiedKFold, cross_val_predict

import npt

lists = {
    "English": """
        the which through though thought would could should might night light right bright water weather whether
        father mother brother daughter friend child children house mouse cheese street school window winter summer
        spring evening morning yesterday tomorrow always nothing something everything everyone between together
        without within another other every little large small quick slow strong weak young beautiful knowledge
        language writing reading walking talking teaching learning watch which witch kitchen chicken knife shelf
        shoulder finger thumb mouth tooth teeth tongue breath health wealth strength length truth youth growth
    """,
    "Italian": """
        il quale attraverso sebbene pensiero vorrei potrei dovrei notte luce destra acqua tempo padre madre fratello
        figlia amico bambino bambini casa topo formaggio strada scuola finestra inverno estate primavera sera mattina
        ieri domani sempre niente qualcosa tutto ognuno insieme senza dentro altro ogni piccolo grande veloce lento
        forte debole giovane bello conoscenza lingua scrittura lettura camminare parlare insegnare imparare guardare
        strega cucina pollo coltello scaffale spalla dito pollice bocca dente denti respiro salute ricchezza forza
        lunghezza giovinezza crescita specchio cavallo uccello giardino ragazzo ragazza macchina chiesa albero
    """,
    "German": """
        der welche durch obwohl gedanke wurde konnte sollte nacht licht rechts hell wasser wetter vater mutter bruder
        tochter freund kind kinder haus maus schule strasse fenster winter sommer herbst abend morgen gestern immer
        nichts etwas alles jeder zwischen zusammen ohne innerhalb andere klein gross schnell langsam stark schwach
        jung schon wissen sprache schreiben lesen gehen sprechen lehren lernen sehen hexe huhn messer regal schulter
        finger daumen mund zahn zunge atem gesundheit reichtum kraft wahrheit jugend wachstum spiegel pferd vogel
        garten junge madchen maschine kirche baum schmetterling zeitung geschwindigkeit wirklich vielleicht deutsch
    """,
}
pairs = sorted({(word, language) for language, text in lists.items() for word in text.split()})
several = [word for word, _ in pairs if sum(word == other for other, _ in pairs) > 1]
words = [word for word, _ in pairs if word not in several]
languages = np.array([language for word, language in pairs if word not in several])
print(len(words), "words;", "in two lists, and left out:", sorted(set(several)))

# %%
# A kernel of texts
# -----------------
# ``spectrum(length = 2)`` counts pairs of letters. Long words have more of them, so we divide by the words' norms:
# ``normalized`` wraps any kernel. We also add single letters, and put a space at both ends of each word, so that
# beginnings and endings count as such.
kernel = "normalized(spectrum(length = 1)) + normalized(spectrum(length = 2)) + normalized(spectrum(length = 3))"
framed = [f" {word} " for word in words]

# %%
# A map of words
# --------------
# Two directions between three classes are all that :class:`npt.KernelFisher` has to find. It sees every other word; the
# map shows the words that it has not seen.
fisher = npt.KernelFisher(kernel=kernel, ridge=0.3).fit(framed[::2], languages[::2])
shown, of_language = words[1::2], languages[1::2]
places = fisher.transform(framed[1::2])
colors = {"English": "#1f5fa8", "German": "#2a7d46", "Italian": "#c2571a"}
figure, axis = plt.subplots(figsize=(8.5, 6), layout="constrained")
for language, color in colors.items():
    axis.scatter(*places[of_language == language].T, s=14, color=color, label=language)
for index in np.random.default_rng(0).permutation(len(shown))[:60]:
    color = colors[of_language[index]]
    axis.annotate(shown[index], places[index], xytext=(3, 2), textcoords="offset points", fontsize=7, color=color)
axis.set(xlabel="first direction", ylabel="second direction")
axis.margins(x=0.08)
axis.legend()
plt.show()

# %%
# A classifier of words
# ---------------------
# Each word is classified by a machine that has not seen it: ten folds, in each of which nine tenths of the words are
# known.
folds = StratifiedKFold(10, shuffle=True, random_state=0)
guesses = cross_val_predict(npt.SVC(C=3, kernel=kernel), framed, languages, cv=folds)
accuracy = np.mean(guesses == languages)
machine = npt.SVC(C=3, kernel=kernel).fit(framed, languages)
new = ["knight", "schaukel", "zucchero", "thirsty", "gespenst", "bicchiere"]
for word, language in zip(new, machine.predict([f" {word} " for word in new])):
    print(f"{word:10} {language}")

# %%
# The number
# ----------
# The most frequent language is a little more than a third of the words. The machine is right about 75 to 90 % of them,
# from a word alone, and about all six of the new ones.
share = max(np.mean(languages == language) for language in colors)
assert 0.33 < share < 0.40
assert 0.75 < accuracy < 0.90
assert machine.predict([f" {word} " for word in new]).tolist() == ["English", "German", "Italian"] * 2
print(f"{accuracy:.3f} of {len(words)} words, where always the same language would have {share:.3f}")
