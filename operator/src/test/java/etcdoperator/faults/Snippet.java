package etcdoperator.faults;

import java.util.ArrayList;
import java.util.List;

/** Finds pieces of a text whatever white space they have: the formatter may break lines anywhere. */
final class Snippet {
    private final String text;
    private final String dense;
    /** Where each character of the dense text stands in the text. */
    private final List<Integer> positions = new ArrayList<>();

    Snippet(String text) {
        this.text = text;
        var characters = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            if (!Character.isWhitespace(text.charAt(i))) {
                characters.append(text.charAt(i));
                positions.add(i);
            }
        }
        this.dense = characters.toString();
    }

    /** From one position in the text to another, which is outside. */
    record Place(int from, int to) {}

    List<Place> find(String piece) {
        String wanted = piece.replaceAll("\\s+", "");
        List<Place> places = new ArrayList<>();
        for (int at = dense.indexOf(wanted); at >= 0 && !wanted.isEmpty(); at = dense.indexOf(wanted, at + 1)) {
            places.add(new Place(positions.get(at), positions.get(at + wanted.length() - 1) + 1));
        }
        return places;
    }

    String replaced(Place place, String replacement) {
        return text.substring(0, place.from()) + replacement + text.substring(place.to());
    }
}
