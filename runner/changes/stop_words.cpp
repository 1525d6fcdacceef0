#include "changes/stop_words.hpp"

#include <unordered_set>

namespace pasb {
namespace {

// One string a group keeps the lists readable; words are folded, apostrophes are gone ("dont").
constexpr std::string_view lists[] = {
    // English function words.
    "a about above after again all also am an and any anyone anything are as at be because been before being below "
    "between both but by "
    "can cant cannot could did do does doesnt doing dont down during each either else etc even ever every everyone "
    "everything few for "
    "from further get gets getting got had has have having he her here hers herself him himself his how i id if ill im "
    "in into is isnt "
    "it its itself ive just let like made make makes making many may maybe me might mine more most much must my myself "
    "neither no nor not "
    "of off on once one only onto or other others our ours out over own per rather really same shall she should since "
    "so some someone "
    "something still such than that thats the their theirs them themselves then there these they theyre theyve thing "
    "things this those "
    "though through thus to too toward towards under until up upon us very was wasnt way we well were what when where "
    "whether which while "
    "who whom whose why will with within without wont would yes yet you your yours yourself hes shes whats youre id "
    "hed shed theyd",
    // Attribution and note keeping, in English: who said it and that it shall be kept is not what was said.
    "according actually always believe believed believes claim claimed claims consider considers feel feels felt finds "
    "flag flagged "
    "flagging framing future going forward honestly imo keep keeping know known log logged memory mention mentioned "
    "mentions note noted "
    "notes noting opinion personally please position prefer preference preferences prefers read reads record recorded "
    "remember remembered "
    "reply replies said save saved say says session sessions settled situation stance stated states stating think "
    "thinks thought update "
    "updated user users users view views want wants wanted worth",
    // Skill wording.
    "arrangement asshole consistent default description handle name now routine rule skill step steps topic use used "
    "using when workflow",
    // German, French, Spanish, Portuguese, Italian.
    "aber als am auch auf aus bei bin bist da damit das dass dem den der des die dies diese dieser doch du durch ein "
    "eine einem einen "
    "einer es fur hat habe haben hier ich ihm ihn ihr ihre im immer ist ja kann kein keine man mein meine mich mir mit "
    "nach nicht noch "
    "nur oder sein seine sich sie sind so und uns unter vom von vor war was weil wenn wer wie wir wird zu zum zur uber "
    "fur nutzer benutzer",
    "au aux avec ce ces cet cette dans de des du elle elles en est et eu il ils je la le les leur lui ma mais me mes "
    "moi mon ne nos notre "
    "nous on ont ou par pas pour qu que qui sa se ses son sont sur ta te tes toi ton tu un une vos votre vous "
    "utilisateur utilisatrice",
    "al como con cuando del el ella ellos entre era eran es esa ese eso esta este esto fue ha han hay las lo los mas "
    "mi mis muy nada no "
    "nos o para pero por porque que quien se ser si sin sobre su sus te tiene todo un una uno y ya yo usuario usuaria",
    "ao aos as com da das do dos e ela ele em essa esse eu foi isso mas meu minha muito na nao nas nem no nos nossa o "
    "os ou para pela pelo "
    "por que quem se sem seu sua suas tambem te tem um uma voce",
    "alla che chi ci con cui da dai dal dalla degli dei del della delle di ed gli ho il io la le lei lo loro lui ma mi "
    "mio ne nei nel "
    "nella non per piu quando quella quello questa questo sei si sia sono su sua suo tra un una utente",
    // Russian.
    "а без бы был была были было быть в вам вас во вот все всё вы где да для до его ее её если есть еще ещё же за и из "
    "или им их к как "
    "ко когда кто ли мне может мы на не нет но ну о об он она они оно от по под при с со так такой там то того тоже "
    "только ты у уже что "
    "чтобы это эта эти я пользователь пользователя пользователю",
    // Chinese and Japanese; particles, pronouns, the user.
    "的 了 是 在 我 你 您 他 她 它 们 我们 你们 他们 她们 它们 这 那 这个 那个 这些 那些 和 与 及 或 或者 而 而且 但 "
    "但是 就 都 也 "
    "还 很 更 最 不 没 没有 有 把 被 让 给 对 对于 从 到 为 为了 因为 所以 如果 会 能 可以 要 想 说 吗 呢 吧 啊 着 过 "
    "地 得 之 其 一 "
    "一个 个 上 下 中 里 用户 用戶 使用者 认为 觉得 表示 偏好 记住 请 注意 記住 認為 覺得 個 這 們 會 說 為 對 還 沒有",
    "の は が を に へ と で も や か ね よ から まで より です ます だ である する して した し こと もの これ それ "
    "あれ この その "
    "ユーザー ユーザ さん いる ある ない",
};

std::unordered_set<std::string_view> read_lists() {
    std::unordered_set<std::string_view> words;
    for (std::string_view list : lists) {
        while (!list.empty()) {
            const std::size_t space = list.find(' ');
            words.insert(list.substr(0, space));
            list.remove_prefix(space == std::string_view::npos ? list.size() : space + 1);
        }
    }
    return words;
}

}  // namespace

bool is_stop_word(std::string_view word) {
    static const std::unordered_set<std::string_view> words = read_lists();
    return words.contains(word);
}

}  // namespace pasb
