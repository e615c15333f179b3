package etcdoperator.store;

import etcdoperator.store.Errand.Doing;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** A folder, as a volume is mounted. What is being written has a hidden name beside the final one. */
final class FolderStore implements Store {
    private final Path root;
    private final Place place;

    FolderStore(Path root) {
        this.root = root.toAbsolutePath().normalize();
        this.place = new Place(this.root.toString(), "");
    }

    @Override
    public Upload begin(String path) throws StoreException {
        Errand errand = place.errand(Doing.WRITE, path);
        Path target = file(path);
        checkRoot(errand);
        try {
            return new Upload(FolderParts.begin(target, errand), errand, Patience.LITTLE);
        } catch (IOException e) {
            throw translated(e, errand);
        }
    }

    /** One that is replaced meanwhile is read to its end as it was: its file goes when the last reader does. */
    @Override
    public InputStream open(String path) throws StoreException {
        Errand errand = place.errand(Doing.READ, path);
        Path file = file(path);
        checkRoot(errand);
        try {
            if (!Files.isRegularFile(file)) {
                throw errand.notFound();
            }
            return Files.newInputStream(file);
        } catch (IOException e) {
            throw translated(e, errand);
        }
    }

    @Override
    public Optional<StoredObject> stat(String path) throws StoreException {
        Errand errand = place.errand(Doing.READ, path);
        Path file = file(path);
        checkRoot(errand);
        try {
            var attributes = Files.readAttributes(file, BasicFileAttributes.class);
            return attributes.isRegularFile() ? Optional.of(stored(file, attributes)) : Optional.empty();
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw translated(e, errand);
        }
    }

    @Override
    public List<StoredObject> list(String prefix) throws StoreException {
        Errand errand = place.errand(Doing.LIST, prefix);
        checkRoot(errand);
        List<StoredObject> found = new ArrayList<>();
        try {
            Files.walkFileTree(root, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                    String path = folder.equals(root) ? "" : path(folder) + "/";
                    boolean may = path.startsWith(prefix) || prefix.startsWith(path);
                    return may && !isHidden(folder) ? FileVisitResult.CONTINUE : FileVisitResult.SKIP_SUBTREE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    if (attributes.isRegularFile()
                            && !isHidden(file)
                            && path(file).startsWith(prefix)) {
                        found.add(stored(file, attributes));
                    }
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFileFailed(Path file, IOException why) throws IOException {
                    // Deleted since its folder was read; also lost+found, which only root may enter.
                    if (why instanceof NoSuchFileException || file.endsWith("lost+found")) {
                        return FileVisitResult.CONTINUE;
                    }
                    throw why;
                }
            });
        } catch (IOException e) {
            throw translated(e, errand);
        }
        found.sort(Comparator.comparing(StoredObject::path));
        return found;
    }

    @Override
    public void delete(String path) throws StoreException {
        Errand errand = place.errand(Doing.DELETE, path);
        Path file = file(path);
        checkRoot(errand);
        try {
            Files.deleteIfExists(file);
        } catch (DirectoryNotEmptyException e) {
            throw errand.broken("it is a folder: name a file");
        } catch (IOException e) {
            throw translated(e, errand);
        }
    }

    @Override
    public void close() {}

    static StoreException translated(IOException thrown, Errand errand) {
        return switch (thrown) {
            case StoreException ours -> ours;
            case NoSuchFileException gone -> errand.notFound();
            case NotDirectoryException file -> errand.broken("a file is in the way: choose another path");
            case AccessDeniedException denied -> errand.deniedByFolder();
            default ->
                errand.broken("the volume answered with '" + reason(thrown) + "': check that it is whole, has"
                        + " room, and may be written");
        };
    }

    private static String reason(IOException thrown) {
        return thrown instanceof java.nio.file.FileSystemException said && said.getReason() != null
                ? said.getReason()
                : String.valueOf(thrown.getMessage());
    }

    private void checkRoot(Errand errand) throws StoreException {
        if (!Files.isDirectory(root)) {
            throw errand.noBucket();
        }
    }

    private Path file(String path) {
        return root.resolve(place.key(path));
    }

    private boolean isHidden(Path file) {
        return !file.equals(root) && file.getFileName().toString().startsWith(".");
    }

    private String path(Path file) {
        return StreamSupport.stream(root.relativize(file).spliterator(), false)
                .map(Path::toString)
                .collect(Collectors.joining("/"));
    }

    private StoredObject stored(Path file, BasicFileAttributes attributes) {
        return new StoredObject(
                path(file), attributes.size(), attributes.lastModifiedTime().toInstant());
    }
}
