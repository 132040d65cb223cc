package dev.hotstate.limits;

import dev.hotstate.limits.Answer.Acquired;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Calls that Redis decides as one, because they want the same of the same counter: it gives what is there for all of them,
 * and that is handed out in the order in which they came. So each gets what it would have got alone, and nothing is taken
 * that nobody uses.
 */
final class Party {
    private final List<Ask> asks = new ArrayList<>(1);

    private Party() {}

    /** Those who can be decided as one are put together; parties are in the order of their first. */
    static List<Party> of(List<Ask> asks) {
        List<Party> parties = new ArrayList<>(asks.size());
        Map<Wish, Party> merging = HashMap.newHashMap(asks.size());
        for (Ask ask : asks) {
            Party party = ask.merges() ? merging.computeIfAbsent(Wish.of(ask), wish -> newIn(parties)) : newIn(parties);
            party.asks.add(ask);
        }
        return parties;
    }

    private static Party newIn(List<Party> parties) {
        Party party = new Party();
        parties.add(party);
        return party;
    }

    private record Wish(Target target, long cost) {
        static Wish of(Ask ask) {
            return new Wish(ask.targets().getFirst(), ask.cost());
        }
    }

    Ask first() {
        return asks.getFirst();
    }

    /** Whether it costs one unit and nobody wants more. */
    boolean takesOneOfEach() {
        if (first().cost() != 1 || asks.size() > 1) {
            return false;
        }
        for (Target target : first().targets()) {
            if (first().want(target) > 1) {
                return false;
            }
        }
        return true;
    }

    long want(Target target) {
        return asks.size() == 1 ? first().want(target) : first().cost() * asks.size();
    }

    /** Answers its calls but for those for whom there was not enough: they are to be asked for again. */
    List<Ask> answer(Answer answer) {
        if (asks.size() > 1 && answer instanceof Acquired acquired && acquired.allowed()) {
            return handOut(acquired.standings().getFirst());
        }
        asks.forEach(ask -> ask.answer(answer));
        return List.of();
    }

    private List<Ask> handOut(Standing standing) {
        long cost = first().cost();
        int served = (int) (standing.taken() / cost);
        for (int i = 0; i < served; i++) {
            Standing mine = standing.sharedOut(cost, served - 1 - i);
            asks.get(i).answer(new Acquired(true, List.of(mine)));
        }
        return asks.subList(served, asks.size());
    }
}
