package tide

/** High or low water. */
sealed interface Tide {
    data class High(val hour: Double) : Tide
    data class Low(val hour: Double) : Tide
}

fun describe(tide: Tide): String = when (tide) {
    is Tide.High -> "high at ${tide.hour}"
    is Tide.Low -> "low at ${tide.hour}"
}
