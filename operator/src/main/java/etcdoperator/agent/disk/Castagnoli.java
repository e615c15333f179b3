package etcdoperator.agent.disk;

/** CRC-32C that goes on from any sum, as etcd's log does from file to file; Java's own begins at zero only. */
final class Castagnoli {
    private static final int POLYNOMIAL = 0x82F63B78;
    private static final int[] TABLE = table();

    private Castagnoli() {}

    static int update(int sum, byte[] bytes) {
        return update(sum, bytes, 0, bytes.length);
    }

    static int update(int sum, byte[] bytes, int from, int to) {
        int crc = ~sum;
        for (int i = from; i < to; i++) {
            crc = TABLE[(crc ^ bytes[i]) & 0xff] ^ (crc >>> 8);
        }
        return ~crc;
    }

    private static int[] table() {
        int[] table = new int[256];
        for (int i = 0; i < table.length; i++) {
            int crc = i;
            for (int bit = 0; bit < 8; bit++) {
                crc = (crc & 1) == 0 ? crc >>> 1 : (crc >>> 1) ^ POLYNOMIAL;
            }
            table[i] = crc;
        }
        return table;
    }
}
